import { execFileSync } from 'node:child_process'
import { findFreePort } from '#server/processes/ports.ts'
import { makeDataDir, runServer } from '#tests/support/run-server.ts'

/** Starts the game once for all stories, as a newcomer does; at the end it its books are audited and it is stopped. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const { dataDir, remove } = makeDataDir()
  const port = await findFreePort()
  let chainPort = await findFreePort()
  // The chain takes the next port, too.
  while (chainPort + 1 === port) chainPort = await findFreePort()
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
    // While the chain still answers, so that it is held against the books.
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
