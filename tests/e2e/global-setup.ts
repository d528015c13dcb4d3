import { execFileSync } from 'node:child_process'
import { findFreePort } from '#server/platform/ports.ts'
import { makeDataDir, runServer } from '#tests/support/run-server.ts'

/** Starts the game once for all stories, as a newcomer does; at the end it is stopped and its books are audited. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const { dataDir, remove } = makeDataDir()
  const port = await findFreePort()
  const chainPort = await findFreePort()
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
  return async () => {
    game.pressCtrlC()
    await game.ended
    const report = execFileSync('npm', ['run', '--silent', 'audit'], {
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: dataDir },
    })
    process.stdout.write(`After all stories: ${report}`)
    remove()
  }
}
