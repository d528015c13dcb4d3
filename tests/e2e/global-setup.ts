import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findFreePort } from '#server/processes/ports.ts'
import { makeDataDir, runServer } from '#tests/support/run-server.ts'
import { startConsoleGame } from './console-game.ts'
import { startSharedMarket } from './market-game.ts'
import { serveGame } from './serve-game.ts'

/**
 * Starts the game once for all tests, and others with a console and with an open market when a test needs them. At the end
 * it audits the ledgers and stops the games.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const { dataDir, remove } = makeDataDir()
  const port = await findFreePort()
  // The chain uses the next port as well.
  const chainPort = await findFreePort(2)
  const game = runServer({
    dataDir,
    command: ['npm', 'start'],
    env: {
      PORT: String(port),
      CHAIN_RPC_PORT: String(chainPort),
      X_URL: 'https://x.example/cottonfarm',
      TOKEN_URL: 'https://token.example/cotton',
    },
  })
  process.env.GAME_URL = await game.ready
  process.env.GAME_CHAIN_URL = `http://127.0.0.1:${chainPort}`
  const [consoleGame, market] = await Promise.all([serveGame(startConsoleGame), serveGame(startSharedMarket)])
  process.env.CONSOLE_GAME = consoleGame.url
  process.env.MARKET_GAME = market.url

  const auditAndStop = async (): Promise<void> => {
    // The audit compares the ledger with the chain, so the chain must still answer.
    const env = { ...process.env, DATA_DIR: dataDir, CHAIN_RPC_PORT: String(chainPort) }
    const audit = ['run', '--silent', 'audit', '--', '--chain', 'required']
    const { stdout: report } = await promisify(execFile)('npm', audit, { env })
    game.pressCtrlC()
    await game.ended
    process.stdout.write(`After all stories: ${report}`)
    remove()
  }
  return async () => {
    await Promise.all([consoleGame.stop(), market.stop(), auditAndStop()])
  }
}
