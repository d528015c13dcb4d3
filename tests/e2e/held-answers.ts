import type { Page } from '@playwright/test'
import { fundedPlayer, playAs, type Player } from './funded-player.ts'

/** Holds the answers to a call back until `go`; `asked` counts how often it was made. */
export async function holdAnswers(page: Page, url: string) {
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const held = { asked: 0, go: () => open() }
  await page.route(url, async (route) => {
    held.asked += 1
    await gate
    await route.fallback()
  })
  return held
}

/** What the server says of the player's balance. */
export const toldBalance = (page: Page, { address }: Player, creditBalance: number): Promise<unknown> =>
  page.route('**/api/users/wallet/*', (route) =>
    route.fulfill({ json: { walletAddress: address, creditBalance } }),
  )

/** A player who is logged in, and whose balance is told to be this much. */
export async function playWith(page: Page, creditBalance: number): Promise<Player> {
  const player = await fundedPlayer(0)
  await playAs(page.context(), player)
  await toldBalance(page, player, creditBalance)
  return player
}

type WorkerFacts = {
  workerId: string
  workerType: 'kid' | 'grandma' | 'grandad' | 'bigman'
  total: number
  claimed: number
  rate: number
}

/** A worker as the server tells it, but for the instant of the answer. */
export function workerOnWire({ workerId, workerType, total, claimed, rate }: WorkerFacts) {
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
