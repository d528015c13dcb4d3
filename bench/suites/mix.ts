import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#server/platform/db/db.ts'
import { type BenchPostgres, startBenchPostgres } from '../bench-postgres.ts'
import { expectCleanLedger, openBooks } from '../books.ts'
import { buyAllLand } from '../market/traders.ts'
import { eveningOf } from '../mix/evening.ts'
import { giveLandBack, readOwners, seedEvening } from '../mix/evening-world.ts'
import { LANES, type Played, playFor } from '../mix/play.ts'
import { sampleWaits } from '../mix/sample-waits.ts'
import { selfTimes } from '../mix/self-time.ts'
import { KEEPS_TIMES, openStatementTimes } from '../statement-times.ts'
import * as tables from '../mix/tables.ts'
import { settle } from '../players.ts'
import type { ListenQuestion } from '../realtime/listen-cheaply.ts'
import { startApi } from '../start-api.ts'
import { startChild } from '../start-child.ts'
import { type Course, type Measured, suiteOf } from '../suite.ts'

const SOCKETS = 1_000
const PROFILE = '.build/bench/mix.cpuprofile'

/** All that players do in an evening at once: what one api process bears, and what keeps it from more. */
export const mix = suiteOf('An evening of everything at once, and what bounds it', measure)

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers }, [KEEPS_TIMES])
  const books = openBooks(postgres.ownerUrl, { closers })
  const seconds = quick ? 2 : 5
  const rounds = quick ? 2 : 5
  const { kinds, times, play } = await openEvening({ postgres, books, closers })
  const played: Played[] = []
  for (let round = 0; round <= rounds; round++) {
    const one = await play({ seconds, profiled: false })
    if (round === 0) continue
    played.push(one)
    say(`round ${round}/${rounds}: ${Math.round(one.perSecond)} requests a second`)
  }
  await times.reset()
  const waits = await sampleWaits(postgres.ownerUrl)
  const profiled = await play({ seconds: 3 * seconds, profiled: true })
  const waited = await waits.stop()
  const statements = await times.read()
  await expectCleanLedger(books)
  const spent = selfTimes(profiled.watched.profile!)
  const file = resolve(import.meta.dirname, '../..', PROFILE)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(profiled.watched.profile))
  say(`The profile is ${PROFILE}.`)
  return {
    ...tables.requestsTable(kinds, played),
    more: [
      { title: 'The processor of the api, by room, callees not counted:', ...tables.roomsTable(spent) },
      {
        title: 'The same by file and package, each with its costliest functions:',
        ...tables.filesTable(spent),
      },
      { title: 'What the backends of Postgres did, how many on average:', ...tables.waitsTable(waited) },
      {
        title: 'Where the time within Postgres went, waits for locks and the disk counted:',
        ...tables.statementsTable(statements, profiled),
      },
    ],
    facts: {
      'Requests at once, and sockets that listen': `${LANES}, ${SOCKETS}`,
      ...tables.playedFacts(played),
    },
  }
}

/** A world with land to be had and land to be traded, an api in a process of its own, and who listens to it. */
async function openEvening({
  postgres,
  books,
  closers,
}: { postgres: BenchPostgres; books: Db } & Pick<Course, 'closers'>) {
  await seedEvening(postgres.ownerUrl)
  await buyAllLand(books)
  await giveLandBack(books)
  const kinds = eveningOf({ owners: await readOwners(books) })
  const api = await startApi({ apiUrl: postgres.apiUrl, env: { BENCH_MARKET: 'open' }, closers })
  const listeners = await startChild(new URL('../realtime/listen-cheaply.ts', import.meta.url))
  closers.push(() => listeners.stop())
  const connect: ListenQuestion = { what: 'connect', url: api.hello, sockets: SOCKETS }
  await listeners.ask<number>(connect)
  const times = await openStatementTimes(postgres.ownerUrl)
  closers.push(() => times.end())
  const pids = { api: [api.pid], listeners: [listeners.pid], 'load generator': [process.pid] }
  const play = async ({ seconds, profiled }: { seconds: number; profiled: boolean }): Promise<Played> => {
    await settle(postgres.ownerUrl)
    const all = { ...pids, Postgres: await times.pids() }
    const run = { on: true }
    const giveBackInTurn = async () => {
      while (run.on) {
        await giveLandBack(books)
        await sleep(1_000)
      }
    }
    const playing = playFor({ api, kinds, seconds, profiled, pids: all }).finally(() => (run.on = false))
    const [played] = await Promise.all([playing, giveBackInTurn()])
    return played
  }
  return { kinds, times, play }
}
