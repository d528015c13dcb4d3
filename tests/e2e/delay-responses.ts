import type { Page } from '@playwright/test'
import { createFundedPlayer, playAs, type Player } from './funded-player.ts'

/** Delays the responses to a call until `release`; `callCount` counts the calls. */
export async function delayResponses(page: Page, url: string) {
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const delayed = { callCount: 0, release: () => open() }
  await page.route(url, async (route) => {
    delayed.callCount += 1
    await gate
    await route.fallback()
  })
  return delayed
}

/** The server's response with the player's balance. */
export const stubBalance = (page: Page, { address }: Player, creditBalance: number): Promise<unknown> =>
  page.route('**/api/users/wallet/*', (route) =>
    route.fulfill({ json: { walletAddress: address, creditBalance } }),
  )

/** Logs in a player for whom the server reports this balance. */
export async function playWithBalance(page: Page, creditBalance: number): Promise<Player> {
  const player = await createFundedPlayer(0)
  await playAs(page.context(), player)
  await stubBalance(page, player, creditBalance)
  return player
}

type WorkerFacts = {
  workerId: string
  workerType: 'kid' | 'grandma' | 'grandad' | 'bigman'
  total: number
  claimed: number
  rate: number
}

/** A worker as the server returns it, without the time of the response. */
export function buildWorkerReply({ workerId, workerType, total, claimed, rate }: WorkerFacts) {
  return {
    workerId,
    workerType,
    totalGeneratedTokens: total,
    claimedGeneratedTokens: claimed,
    unclaimedTokens: Math.floor(total - claimed),
    generationRate: rate,
    purchaseDate: '2026-01-05T12:00:00.000Z',
  }
}
