import * as acts from './act-list.ts'
import * as books from './books.ts'
import * as deposits from './deposits.ts'
import * as health from './health.ts'
import * as ledger from './ledger.ts'
import * as log from './log.ts'
import * as players from './players.ts'
import type { ConsoleRoute } from './route.ts'
import * as session from './session.ts'
import * as today from './today.ts'
import * as withdrawals from './withdrawals.ts'
import * as world from './world.ts'

/** Every route of the console by name. The server must serve each of them; the access table is generated from it. */
export const CONSOLE_ROUTES = {
  readGame: session.readGame,
  requestLogin: session.requestLogin,
  logIn: session.logIn,
  logOut: session.logOut,
  readSession: session.readSession,
  readToday: today.readToday,
  readActivity: today.readActivity,
  readLive: today.readLive,
  listWithdrawals: withdrawals.listWithdrawals,
  readWithdrawal: withdrawals.readWithdrawal,
  pause: withdrawals.pause,
  listDeposits: deposits.listDeposits,
  listPlayers: players.listPlayers,
  readPlayer: players.readPlayer,
  endPlayerSessions: players.endPlayerSessions,
  freezePlayer: players.freezePlayer,
  readWorld: world.readWorld,
  listAnnouncements: world.listAnnouncements,
  announce: world.announce,
  endAnnouncement: world.endAnnouncement,
  readBooks: books.readBooks,
  readBooksHistory: books.readBooksHistory,
  listJournals: ledger.listJournals,
  exportJournals: ledger.exportJournals,
  listActs: acts.listActs,
  readAct: acts.readAct,
  prepareAct: acts.prepareAct,
  submitAct: acts.submitAct,
  listLog: log.listLog,
  readHealth: health.readHealth,
} as const satisfies Record<string, ConsoleRoute>

export type ConsoleRouteName = keyof typeof CONSOLE_ROUTES
