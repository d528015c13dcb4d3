import { randomUUID } from 'node:crypto'
import type { Act } from '#contract/console/acts.ts'
import { PARCELS } from '#game/world.ts'
import { everyAct } from '#tests/support/every-act.ts'
import { type TestPlayer, testPlayer } from '#tests/support/test-player.ts'
import type { FuzzedGame } from './fuzzed-game.ts'
import type { Known } from './json-values.ts'
import { SESSIONS } from './requests.ts'

/** Who plays in a fuzzed game, and what they have. */
export type FuzzWorld = {
  known: Known
  /** The header with active sessions in the place of their placeholders. */
  fill(value: string): string
  isActive(name: string): Promise<boolean>
  /** Opens a session again, because some requests end it. */
  renew(name: string): Promise<void>
}

type Post = (path: string, body: object, token?: string) => Promise<Record<string, unknown>>

const posterTo =
  (url: string, headers: Record<string, string> = {}): Post =>
  async (path, body, token) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify(body),
    })
    const read = (await answer.json()) as Record<string, unknown>
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(read)}`)
    return read
  }

async function logInPlayer(post: Post, player: TestPlayer): Promise<string> {
  const { message } = await post('/api/users/nonce', { walletAddress: player.wallet })
  const signature = player.sign(String(message)).toString('base64')
  const { token } = await post('/api/users/verify-wallet', {
    walletAddress: player.wallet,
    message,
    signature,
  })
  return String(token)
}

async function logInOperator(post: Post, operator: TestPlayer): Promise<string> {
  const { wallet } = operator
  const { message } = await post('/api/console/nonce', { wallet })
  const signature = operator.sign(String(message)).toString('base64')
  return String((await post('/api/console/login', { wallet, message, signature })).token)
}

/** Two players with credit, workers, land and a listing, and an operator with every right. */
export async function openFuzzWorld(game: FuzzedGame): Promise<FuzzWorld> {
  const post = posterTo(game.url)
  const postToConsole = posterTo(game.consoleUrl)
  const [player, other, operator] = [testPlayer(), testPlayer(), testPlayer()]
  await game.nameOperator(operator.wallet)
  const tokens = new Map<string, string>()
  const logIns: Record<string, () => Promise<string>> = {
    [SESSIONS.player]: () => logInPlayer(post, player),
    [SESSIONS.other]: () => logInPlayer(post, other),
    [SESSIONS.operator]: () => logInOperator(postToConsole, operator),
  }
  const renew = async (name: string): Promise<void> => void tokens.set(name, await logIns[name]!())
  await Promise.all(Object.keys(logIns).map(renew))
  const workers: string[] = []
  const listings: string[] = []
  const parcels = PARCELS.slice(0, 6).map(({ parcelId }) => parcelId)
  for (const [at, { wallet }] of [player, other].entries()) {
    const token = tokens.get(at === 0 ? SESSIONS.player : SESSIONS.other)!
    await game.fund(wallet)
    for (const workerType of ['kid', 'kid', 'grandma', 'bigman']) {
      const hired = await post('/api/workers/purchase', { workerType, walletAddress: wallet }, token)
      workers.push((hired.worker as { workerId: string }).workerId)
    }
    for (const parcelId of parcels.slice(at * 2, at * 2 + 2))
      await post('/api/parcels/purchase', { parcelId, walletAddress: wallet }, token)
    const body = { parcelId: parcels[at * 2], price: 1_000, walletAddress: wallet }
    listings.push(((await post('/api/marketplace/list', body, token)).listing as { id: string }).id)
  }
  return {
    known: {
      ...sharedNames({ wallets: [player.wallet, other.wallet, operator.wallet], own: player.wallet }),
      workerId: workers,
      after: workers,
      parcelId: parcels,
      listingId: listings,
      act: actsOn(other.wallet),
    },
    fill: (value) => value.replaceAll(/\{\w+\}/g, (name) => tokens.get(name) ?? name),
    isActive: async (name) => {
      const [url, path] =
        name === SESSIONS.operator
          ? [game.consoleUrl, '/api/console/session']
          : [game.url, '/api/users/last-seen']
      const headers = { authorization: `Bearer ${tokens.get(name)}` }
      return (await fetch(url + path, { headers })).ok
    },
    renew,
  }
}

const sharedNames = ({ wallets, own }: { wallets: readonly string[]; own: string }): Known => ({
  walletAddress: [own, own, own, ...wallets],
  wallet: wallets.slice(1),
  address: wallets,
  owner: wallets,
  before: [randomUUID(), '00000000-0000-0000-0000-000000000000'],
  amount: [1, 5, 1_000, 0.000001],
  month: ['2026-11', '2020-01', '2099-12'],
})

/** Acts of operators, which their schema checks in code. */
const actsOn = (wallet: string): Act[] => [
  ...Object.values(everyAct({ wallet, withdrawalId: randomUUID() })),
  { kind: 'adjust', creditClass: 'earned', wallet, amount: '-1.5', reason: 'why' },
  { kind: 'fund', amount: '4611686018427.387904', reason: 'why' },
  { kind: 'acknowledge', transaction: '1'.repeat(64), amount: '1', debt: 'pool', reason: 'why' },
]
