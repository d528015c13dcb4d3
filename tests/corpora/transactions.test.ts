import { type Address, getBase58Encoder } from '@solana/kit'
import { beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { receiptOf, type RpcTransaction } from '#server/chain/receipts.ts'
import type { Signature } from '#server/chain/port.ts'
import { creditDeposits } from '#server/deposits/credit-deposits.ts'
import type { DepositAddress } from '#server/deposits/take-address.ts'
import { runQuery, readCreditOf } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { HONEST } from './honest-transactions.ts'
import { type DepositCase, HOSTILE, type ExpectedOutcome } from './hostile-transactions.ts'
import { openCaseContext, type CaseContext } from './case-context.ts'

type Played = {
  name: string
  outcome: ExpectedOutcome
  player: DepositAddress
  other: DepositAddress
  ran: Signature[]
}

const CASES: DepositCase[] = [...HONEST, ...HOSTILE]
const AT_ONCE = 12

const world = setUpChainTestWorld()
let played: Played[]

beforeAll(async () => {
  const [signer, thief] = [await world.newSigner(), await world.wallet()]
  await world.waitUntilFinal(await world.gift(thief.address, cotton(1)))
  const left = CASES.map((each, at) => ({ each, at }))
  played = []
  const play = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const stage: CaseContext = await openCaseContext(world, signer, thief)
      const outcome = await next.each.play(stage)
      const { player, other, ran } = stage
      played[next.at] = { name: next.each.name, outcome, player, other, ran }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, play))
  // Once a later transaction is final, all earlier ones are final too.
  await world.waitUntilFinal(await world.gift(thief.address, cotton(1)))
  await Promise.all(played.flatMap(({ player, other }) => [scanDeposits(player), scanDeposits(other)]))
}, 240_000)
const scanDeposits = (address: DepositAddress) =>
  creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, address)

type Receipt = { asset: string; state: string; amount: string }

const receiptsOf = ({ wallet }: DepositAddress) =>
  runQuery<Receipt>(
    world.owner,
    `select asset, state, amount::text from receipts where wallet = $1 order by amount`,
    [wallet],
  )

test('the corpus has enough cases', () => {
  expect(new Set(CASES.map((each) => each.name)).size).toBe(CASES.length)
  expect(HOSTILE.length).toBeGreaterThanOrEqual(30)
  expect(played.filter(({ outcome }) => outcome.credit || outcome.other).length).toBeGreaterThanOrEqual(15)
})

test('every case is in the history of its player', async () => {
  const unseen = []
  for (const { name, player } of played) if ((await historyOf(player)).length === 0) unseen.push(name)
  expect(unseen).toEqual([])
})

test('each transaction credits exactly what arrived, to its own player', async () => {
  const wrong = []
  for (const { name, outcome, player, other } of played) {
    const { credit = 0n, other: others = 0n } = outcome
    const found = [
      await readCreditOf(world.owner, player.wallet),
      await readCreditOf(world.owner, other.wallet),
    ]
    const deposited = found.map((each) => each.deposited)
    if (deposited[0] !== credit || deposited[1] !== others) wrong.push({ name, deposited, credit, others })
  }
  expect(wrong).toEqual([])
})

test('exactly what is not credited is recorded for the operator', async () => {
  for (const { name, outcome, player } of played) {
    const rows = await receiptsOf(player)
    const unclaimed = rows.filter((row) => row.state === 'unclaimed')
    const wanted = (outcome.unclaimed ?? []).map(([asset, amount]) => ({
      asset,
      state: 'unclaimed',
      amount: amount === null ? expect.stringMatching(/^[1-9]\d*$/) : String(amount),
    }))
    expect(unclaimed, name).toEqual(wanted)
    expect(
      rows.filter((row) => !['unclaimed', 'credited'].includes(row.state)),
      name,
    ).toEqual([])
  }
})

test('exactly the expected transactions fail, and the ledger is consistent', async () => {
  expect(played.filter(({ outcome }) => outcome.failed).length).toBeGreaterThanOrEqual(5)
  for (const { name, outcome, ran } of played) {
    const statuses = await world.chain.statuses(ran)
    expect(
      statuses.map((status) => status?.failed),
      name,
    ).toEqual(ran.map((signature) => signature === outcome.failed))
  }
  expect(await world.audit()).toEqual([])
})

test('reading everything again credits nothing more', async () => {
  await runQuery(world.owner, 'update deposit_addresses set cursor_signature = null, cursor_slot = 0')
  await Promise.all(played.map(({ player }) => scanDeposits(player)))
  for (const { name, outcome, player } of played) {
    expect((await readCreditOf(world.owner, player.wallet)).deposited, name).toBe(outcome.credit ?? 0n)
  }
})

// Known faulty ways to read deposits. Each must fail on the corpus, or the corpus would prove nothing.

type Raw = RpcTransaction & {
  transaction: { message: { instructions: readonly Coded[] } }
  meta: { innerInstructions?: readonly { instructions: readonly Coded[] }[] } | null
}
type Coded = { programIdIndex: number; accounts: readonly number[]; data: string }

const keysOf = ({ transaction, meta }: Raw): Address[] => [
  ...transaction.message.accountKeys,
  ...(meta?.loadedAddresses?.writable ?? []),
  ...(meta?.loadedAddresses?.readonly ?? []),
]

/** The amounts of transfer instructions to an account. */
function transferred(raw: Raw, account: Address): bigint {
  const keys = keysOf(raw)
  const inner = (raw.meta?.innerInstructions ?? []).flatMap((each) => each.instructions)
  const amounts = [...raw.transaction.message.instructions, ...inner].map(
    ({ programIdIndex, accounts, data }) => {
      const bytes = Buffer.from(Uint8Array.from(getBase58Encoder().encode(data)))
      const checked = bytes[0] === 12
      if (!keys[programIdIndex]?.startsWith('Token') || (bytes[0] !== 3 && !checked)) return 0n
      return keys[accounts[checked ? 2 : 1]!] === account ? bytes.readBigUInt64LE(1) : 0n
    },
  )
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}

/** The balance increase of the accounts that a reader counts as the player's. */
function gained(
  raw: Raw,
  counts: (row: NonNullable<NonNullable<Raw['meta']>['preTokenBalances']>[number]) => boolean,
) {
  const sum = (rows: NonNullable<Raw['meta']>['preTokenBalances']) =>
    (rows ?? []).filter(counts).reduce((total, row) => total + BigInt(row.uiTokenAmount.amount), 0n)
  return sum(raw.meta?.postTokenBalances) - sum(raw.meta?.preTokenBalances)
}

const positive = (amount: bigint) => (amount > 0n ? amount : 0n)

type Reader = (raw: Raw, player: DepositAddress) => bigint

/** The receipt that the game reads. The library that reads JSON for it gives integers as bigints. */
const readAsGame: Reader = (raw, player) => {
  const answer = { ...raw, slot: BigInt(raw.slot) }
  const receipt = receiptOf('' as Signature, answer, { ...player, facts: world.chain.facts })
  return positive(receipt?.amount ?? 0n)
}

const CARELESS_READERS: Record<string, Reader> = {
  'counts by the owner of an account': (raw, { owner }) => {
    return positive(gained(raw, (row) => row.owner === owner && row.mint === world.chain.facts.mint))
  },
  'counts by instruction': (raw, { tokenAccount }) => {
    return raw.meta?.err === null ? transferred(raw, tokenAccount) : 0n
  },
  'counts by instruction and ignores errors': (raw, { tokenAccount }) => transferred(raw, tokenAccount),
  'counts by instruction for the final owner of an account': (raw, { owner }) => {
    const theirs = new Set((raw.meta?.postTokenBalances ?? []).filter((row) => row.owner === owner))
    const keys = keysOf(raw)
    const amounts = [...theirs].map((row) => transferred(raw, keys[row.accountIndex]!))
    return raw.meta?.err === null ? amounts.reduce((sum, amount) => sum + amount, 0n) : 0n
  },
  'counts any token of the owner': (raw, { owner }) => positive(gained(raw, (row) => row.owner === owner)),
  'ignores lookup tables': (raw, player) => {
    const meta = raw.meta && { ...raw.meta, loadedAddresses: undefined }
    return readAsGame({ ...raw, meta } as Raw, player)
  },
}

/** The cases in which a reader finds another amount than arrived. */
async function findMisread(read: Reader): Promise<string[]> {
  const wrong: string[] = []
  for (const { outcome, player, name } of played) {
    let sum = 0n
    for (const signature of await historyOf(player)) sum += read(await rawOf(signature), player)
    const wanted = outcome.unclaimed?.some(([asset]) => asset === 'cotton')
      ? outcome.unclaimed[0]![1]
      : (outcome.credit ?? 0n)
    if (sum !== wanted) wrong.push(name)
  }
  return wrong
}

test.each(Object.entries(CARELESS_READERS))('the corpus catches a reader that %s', async (_, read) => {
  expect(await findMisread(read)).not.toEqual([])
})

test('the corpus catches no reader that reads as the game does', async () => {
  expect(await findMisread(readAsGame)).toEqual([])
})

test('a balance of the mint under another token program, or in a failed transaction, is not credited', () => {
  const player = played[0]!.player
  const { facts } = world.chain
  const row = (amount: string, programId: Address, mint = facts.mint) => ({
    accountIndex: 0,
    mint,
    owner: player.owner,
    programId,
    uiTokenAmount: { amount },
  })
  const answer = (after: ReturnType<typeof row>, err: unknown = null): RpcTransaction => ({
    slot: 1n,
    blockTime: null,
    transaction: { message: { accountKeys: [player.tokenAccount], recentBlockhash: '' } },
    meta: { err, preBalances: [1n], postBalances: [1n], preTokenBalances: [], postTokenBalances: [after] },
  })
  const read = (response: RpcTransaction) => receiptOf('' as Signature, response, { ...player, facts })
  expect(read(answer(row('5', facts.tokenProgram)))).toMatchObject({ amount: 5n, failed: false })
  expect(read(answer(row('5', player.owner)))).toMatchObject({ amount: 0n })
  expect(read(answer(row('5', facts.tokenProgram, player.owner)))).toMatchObject({ amount: 0n })
  expect(read(answer(row('5', facts.tokenProgram), { InstructionError: [0, 'Custom'] }))).toMatchObject({
    failed: true,
  })
})

const histories = new Map<string, Promise<Signature[]>>()

function historyOf(player: DepositAddress): Promise<Signature[]> {
  const known = histories.get(player.owner) ?? readHistory(player)
  histories.set(player.owner, known)
  return known
}

async function readHistory({ owner, tokenAccount }: DepositAddress): Promise<Signature[]> {
  const query = { limit: 50, commitment: 'finalized' } as const
  const pages = await Promise.all([owner, tokenAccount].map((address) => world.chain.history(address, query)))
  return [...new Set(pages.flat().map((item) => item.signature))]
}

const raws = new Map<Signature, Promise<Raw>>()

function rawOf(signature: Signature): Promise<Raw> {
  const known = raws.get(signature) ?? readRaw(signature)
  raws.set(signature, known)
  return known
}

async function readRaw(signature: Signature): Promise<Raw> {
  const config = { encoding: 'json', commitment: 'finalized', maxSupportedTransactionVersion: 0 }
  const body = { jsonrpc: '2.0', id: 1, method: 'getTransaction', params: [signature, config] }
  const answer = await fetch(world.rpcUrl, { method: 'POST', body: JSON.stringify(body) })
  return ((await answer.json()) as { result: Raw }).result
}
