import { execFileSync } from 'node:child_process'
import { serveConsoleGame } from './console-game.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { makeDataDir, runServer } from '#tests/support/run-server.ts'

/** Starts the game once for all tests, and another one with a console when a story needs it. At the end it audits the ledger and stops the game. */
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
  const consoleGame = await serveConsoleGame()
  process.env.CONSOLE_GAME = consoleGame.url
  process.env.GAME_CHAIN_URL = `http://127.0.0.1:${chainPort}`
  return async () => {
    await consoleGame.stop()
    // The audit compares the ledger with the chain, so the chain must still answer.
    const report = execFileSync('npm', ['run', '--silent', 'audit', '--', '--chain', 'required'], {
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: dataDir, CHAIN_RPC_PORT: String(chainPort) },
    })
    game.pressCtrlC()
    await game.ended
    process.stdout.write(`After all stories: ${report}`)
    remove()
  }
}
