import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Stoppable = { stop(): Promise<void> }

/**
 * Starts a game when it is first asked for, so that runs without a test in it do not pay for it. The URL answers with the
 * facts of the game.
 */
export async function serveGame(start: () => Promise<Stoppable>): Promise<Stoppable & { url: string }> {
  let started: Promise<Stoppable> | undefined
  const server = createServer((_request, response) => {
    started ??= start()
    started.then(
      (game) => response.end(JSON.stringify(game)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      await (await started?.catch(() => undefined))?.stop()
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The facts of a game that `serveGame` serves, once it has started. */
export async function askForGame<Game>(url: string): Promise<Game> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Game
}
