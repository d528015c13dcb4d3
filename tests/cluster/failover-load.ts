import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Player } from '#tests/e2e/funded-player.ts'

/** How long a client repeats an action with its key before it gives up. */
const GIVE_UP_AFTER_MS = 120_000

/** What the clients saw. */
export type Acknowledged = {
  /** The ids of hired workers, with the time of their acknowledgement in ms. */
  hires: { workerId: string; at: number }[]
  /** Actions that were refused or never answered. */
  faults: string[]
}

/** Each player hires one worker after the other, and repeats with the same key until an answer comes. */
export function startHiring(
  url: string,
  players: readonly Player[],
): { seen: Acknowledged; stop(): Promise<void> } {
  const seen: Acknowledged = { hires: [], faults: [] }
  const stopping = new AbortController()
  const work = async (player: Player): Promise<void> => {
    while (!stopping.signal.aborted) {
      const worker = await hire(url, player)
      if ('workerId' in worker) seen.hires.push({ workerId: worker.workerId, at: Date.now() })
      else seen.faults.push(worker.fault)
      await sleep(50)
    }
  }
  const working = players.map(work)
  const stop = async (): Promise<void> => {
    stopping.abort()
    await Promise.all(working)
  }
  return { seen, stop }
}

async function hire(
  url: string,
  { address, token }: Player,
): Promise<{ workerId: string } | { fault: string }> {
  const action = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': token, 'idempotency-key': randomUUID() },
    body: JSON.stringify({ workerType: 'kid', walletAddress: address }),
  }
  const deadline = Date.now() + GIVE_UP_AFTER_MS
  for (;;) {
    const signal = AbortSignal.timeout(10_000)
    const answer = await fetch(`${url}/api/workers/purchase`, { ...action, signal }).catch(() => undefined)
    if (answer?.status === 200) {
      const { worker } = (await answer.json()) as { worker: { workerId: string } }
      return worker
    }
    const text = answer ? `${answer.status} ${await answer.text().catch(() => '')}` : 'no answer'
    // Anything but a server's trouble is an answer.
    if ((answer && answer.status < 500) || Date.now() > deadline) return { fault: text.slice(0, 300) }
    await sleep(100 + Math.random() * 200)
  }
}
