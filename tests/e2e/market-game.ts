import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { RIGHTS } from '#contract/console/rights.ts'
import { makeDataDir, runServer } from '#tests/support/run-server.ts'
import { nameOperators } from './console-game.ts'

export type MarketMode = 'open' | 'auto'

/** Starts a game whose market is open, or opens as the game decides. `stop` audits its ledger. */
export function runMarketGame({ dataDir, remove }: ReturnType<typeof makeDataDir>, mode: MarketMode) {
  const server = runServer({ dataDir, env: { MARKET_MODE: mode } })
  return {
    ready: server.ready,
    async stop(): Promise<void> {
      server.pressCtrlC()
      await server.ended
      const env = { ...process.env, DATA_DIR: dataDir }
      await promisify(execFile)('npm', ['run', '--silent', 'audit'], { env })
      remove()
    },
  }
}

/** A running game with an open market. */
export type MarketGame = { url: string; dataDir: string }

/** Starts the game with an open market that several files share. Its operator is `zoe`. */
export async function startSharedMarket(): Promise<MarketGame & { stop(): Promise<void> }> {
  const folder = makeDataDir()
  nameOperators(folder, { zoe: RIGHTS })
  const { ready, stop } = runMarketGame(folder, 'open')
  return { url: await ready, dataDir: folder.dataDir, stop }
}
