import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuTimeOf } from '../../bench/cpu-time.ts'
import { type FuzzedGame, startFuzzedGame } from '#tests/fuzz/fuzzed-game.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { HonestPlayers, type Served } from './honest-players.ts'
import { pinProcesses, type Sharing } from './pin-processes.ts'
import type { HostileOrder, HostileReport } from './run-hostile-clients.ts'

const PLAYERS = 8

/** What players got in a stage, with the errors that the game has logged, and the share of a processor that the game used meanwhile. */
export type Stage = Served & {
  gameCpu: number
  clients: HostileReport
  connections: number
  rssBytes: number
}

/** Whom the hostile clients work against: nobody, a listener that is not the game, or the game. */
export type Against = 'nobody' | 'decoy' | 'game'

export type Range = {
  sharing: Sharing
  /** Plays for this time while these hostile clients work. */
  run(of: { against: Against; counts: Readonly<Record<string, number>>; ms: number }): Promise<Stage>
  close(): Promise<void>
}

const QUIETLY = { execArgv: ['--no-warnings'] }

/** Starts the game, the hostile clients and the decoy, each in a process of its own, and the players in this one. */
export async function openRange(): Promise<Range> {
  const game = await startFuzzedGame({ limited: true })
  const clients = fork(join(import.meta.dirname, 'run-hostile-clients.ts'), QUIETLY)
  const decoy = fork(join(import.meta.dirname, 'serve-decoy.ts'), QUIETLY)
  const [decoyPort] = (await once(decoy, 'message')) as [number]
  const players = new HonestPlayers(game.url, PLAYERS)
  const sharing = pinProcesses({ game: game.pid, hostile: clients.pid!, decoy: decoy.pid! })
  const order = (given: HostileOrder): void => void clients.send(given)
  const report = async (): Promise<HostileReport> => {
    const answer = once(clients, 'message')
    order({ report: true })
    return ((await answer) as [HostileReport])[0]
  }
  const urls = { game: game.url, decoy: `http://127.0.0.1:${decoyPort}` }
  await players.play(3_000)
  return {
    sharing,
    async run({ against, counts, ms }) {
      if (against !== 'nobody') {
        order({ start: { url: urls[against], counts } })
        await waitForAll(report, counts)
      }
      const [fromMs, fromCpu] = [performance.now(), cpuTimeOf(game.pid) ?? 0]
      const served = await players.play(ms)
      const gameCpu = (((cpuTimeOf(game.pid) ?? 0) - fromCpu) * 1_000) / (performance.now() - fromMs)
      const { connections, rssBytes, problems } = await game.measure()
      const found = await report()
      order({ stop: true })
      await waitForQuiet(game)
      return {
        ...served,
        failures: [...served.failures, ...problems],
        gameCpu,
        clients: found,
        connections,
        rssBytes,
      }
    },
    async close() {
      players.stop()
      for (const child of [clients, decoy]) child.disconnect()
      await game.stop()
    },
  }
}

/** Until all silent connections are open at the same moment, or for so long that they will not be. */
async function waitForAll(
  report: () => Promise<HostileReport>,
  { silent = 0 }: Readonly<Record<string, number>>,
): Promise<void> {
  await sleep(1_000)
  for (const untilMs = performance.now() + 30_000; performance.now() < untilMs; await sleep(100))
    if (((await report()).silent?.most ?? 0) >= silent) return
}

async function waitForQuiet(game: FuzzedGame): Promise<void> {
  const isQuiet = async () => (await game.measure()).connections <= PLAYERS * 2
  await waitFor('the connections to close', isQuiet, 120_000)
}
