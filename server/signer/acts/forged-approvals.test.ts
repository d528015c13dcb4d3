import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type Act, actText } from '#contract/console/acts.ts'
import { cotton, toDecimal } from '#game/cotton.ts'
import { totalOf } from '#game/credit.ts'
import type { Chain } from '#server/chain/port.ts'
import type { Db } from '#server/platform/db/db.ts'
import { lockWithdrawal, type OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { createPlayerWith, withdraw } from '#tests/support/chain-test-players.ts'
import { runQuery, SITE, type TestWallet, waitUntil } from '#tests/support/chain-test-world.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { makeOps } from '#tests/support/operators.ts'
import { countPayouts, createReadySigner, newMainnetSigner } from '#tests/support/payouts.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { refundCancelled } from '../payouts/refund-cancelled.ts'
import { replacePayouts } from '../payouts/replace-payouts.ts'
import { signApproved } from '../payouts/sign-approved.ts'
import { applyApprovals } from '../review/approvals.ts'
import { reviewRequests } from '../review/review-requests.ts'
import { sealVerdict } from '../review/verdict-seal.ts'
import type { Signer } from '../signer.ts'
import { createSigningRound } from '../start-signer.ts'

const world = setUpChainTestWorld()
const { operators, context } = makeOps(world, ['ana', 'ben', 'vera', 'eve'])
const HOUR_MS = 60 * 60_000

let signer: Signer
let player: TestWallet

beforeAll(async () => {
  // Vera may only look, and Eve was an operator once.
  operators.name({ ana: ['decide'], ben: ['decide'], vera: ['adjust', 'settings'] }, '100')
  signer = await createReadySigner(world)
  player = await createPlayerWith(world, { deposited: 5_000 })
})

const read = (id: string): Promise<OpenWithdrawal> =>
  world.owner.transaction(async (tx) => (await lockWithdrawal(tx, id))!)

/** A withdrawal of the player that waits in review, as on a chain where tokens have a value. */
async function inReview(amount = 10): Promise<OpenWithdrawal> {
  const { id } = await withdraw(world, player, cotton(amount))
  await reviewRequests(await newMainnetSigner(world))
  await world.newSigner()
  return read(id)
}

/** Those of the tests before. */
const letApprovalsExpire = () => world.clock.skip(2 * HOUR_MS)

const setState = (id: string, state: string) =>
  runQuery(world.owner, 'update withdrawals set state = $2 where id = $1', [id, state])

type Forgery = {
  by?: string
  act?: Partial<Extract<Act, { kind: 'approve' }>>
  treasury?: string
  host?: string
  expiresAt?: Date
  at?: Date
  /** What is stored, in place of what was signed. */
  stored?: { nonce?: string; signature?: Uint8Array; withdrawalId?: string; kind?: string; act?: object }
}

/** Writes an approval into the table, as whoever has the owner's login can. Returns its signature. */
async function write(withdrawal: OpenWithdrawal, forgery: Forgery = {}): Promise<Uint8Array> {
  const { by = 'ana', stored = {} } = forgery
  const { treasury } = await context()
  const { id, wallet } = withdrawal
  const amount = toDecimal(totalOf(withdrawal))
  const act: Act = { kind: 'approve', withdrawalId: id, wallet, amount, ...forgery.act }
  const nonce = randomBytes(16).toString('hex')
  const expiresAt = forgery.expiresAt ?? new Date(world.clock.now().getTime() + HOUR_MS)
  const place = { ...SITE, treasury: forgery.treasury ?? treasury, host: forgery.host ?? SITE.host }
  const { wallet: operator, sign } = operators.of(by)
  const { message } = actText(act, place, { operator, nonce, expiresAt, number: null })
  const signature = stored.signature ?? Buffer.from(sign(message), 'base64')
  await runQuery(
    world.owner,
    `insert into operator_acts
       (nonce, kind, withdrawal_id, details, operator, signature, signed_form, at, expires_at, state, outcome, done_at)
     values ($1, $2, $3, $4, $5, $6, 'raw', coalesce($8, now()), $7, 'done', 'Approved', now())`,
    [
      stored.nonce ?? nonce,
      stored.kind ?? 'approve',
      stored.withdrawalId ?? id,
      JSON.stringify({ ...act, ...stored.act }),
      operator,
      Buffer.from(signature),
      expiresAt,
      forgery.at ?? null,
    ],
  )
  return signature
}

/** Expects that nothing moves the withdrawal out of review, and nothing pays it once its state says approved. */
async function expectUnpaid({ id }: OpenWithdrawal): Promise<void> {
  await applyApprovals(signer)
  expect((await read(id)).state).toBe('review')
  await setState(id, 'approved')
  await signApproved(signer)
  expect(await read(id)).toMatchObject({ state: 'review', reasons: ['not_approved'] })
  expect(await runQuery(world.owner, 'select from payouts where withdrawal_id = $1', [id])).toEqual([])
}

const FORGERIES: [string, (of: OpenWithdrawal) => Promise<Forgery[]>][] = [
  ['no approval', async () => []],
  ['random bytes as the signature', async () => [{ stored: { signature: randomBytes(64) } }]],
  ['a removed operator', async () => [{ by: 'eve' }]],
  ['an operator without the right', async () => [{ by: 'vera' }]],
  ['another world', async () => [{ treasury: player.address }]],
  ['another host', async () => [{ host: 'other.test' }]],
  ['another amount', async () => [{ act: { amount: '9.999999' } }]],
  ['another wallet', async () => [{ act: { wallet: operators.of('ana').wallet } }]],
  ['an expired signature', async () => [{ expiresAt: new Date(world.clock.now().getTime() - 1) }]],
  [
    'a signature for years',
    async () => [{ expiresAt: new Date(world.clock.now().getTime() + 9_999 * HOUR_MS) }],
  ],
  [
    'an amount that was changed after the signature',
    async (of) => [{ act: { amount: '1' }, stored: { act: { amount: toDecimal(totalOf(of)) } } }],
  ],
  [
    'an approval of another withdrawal',
    async (of) => [{ act: { withdrawalId: (await inReview()).id }, stored: { withdrawalId: of.id } }],
  ],
  [
    'a rejection stored as an approval',
    async () => [{ stored: { act: { kind: 'reject', reason: 'No' }, kind: 'approve' } }],
  ],
]

test.each(FORGERIES)(
  'a withdrawal that was approved in the database is not paid: %s',
  async (_name, forge) => {
    const withdrawal = await inReview()
    for (const forgery of await forge(withdrawal)) await write(withdrawal, forgery)
    await expectUnpaid(withdrawal)
  },
)

test('a nonce is used once: a copied signature counts for no other row', async () => {
  const [first, second] = [await inReview(), await inReview()]
  const nonce = randomBytes(16).toString('hex')
  const signature = await write(first)
  await expect(write(second, { stored: { nonce: await nonceOf(first) } })).rejects.toThrow(
    'operator_acts_pkey',
  )
  await write(second, { stored: { nonce, signature } })
  await expectUnpaid(second)
})

const nonceOf = async ({ id }: OpenWithdrawal): Promise<string> =>
  (
    await runQuery<{ nonce: string }>(
      world.owner,
      'select nonce from operator_acts where withdrawal_id = $1',
      [id],
    )
  )[0]!.nonce

test('above the limit one operator is not enough, however often', async () => {
  const withdrawal = await inReview(101)
  await write(withdrawal)
  await write(withdrawal)
  await expectUnpaid(withdrawal)
  // With a second one it is paid: the forgeries above fail for nothing else.
  await write(withdrawal, { by: 'ben' })
  await applyApprovals(signer)
  expect(await read(withdrawal.id)).toMatchObject({ state: 'approved' })
  await signApproved(signer)
  expect((await read(withdrawal.id)).state).toBe('signed')
  await finish(withdrawal.id)
})

/** Sends what is signed and settles it. */
async function finish(id: string): Promise<void> {
  const paying = await world.newSigner()
  const round = createSigningRound(paying)
  await waitUntil(async () => {
    await round()
    return (await read(id)).state === 'finalized'
  })
  expect(await countPayouts(world, id)).toBe(1)
  signer = paying
}

test('a seal of the policy counts for its own withdrawal only, and not after a refund', async () => {
  const [withdrawal, other] = [await inReview(), await inReview()]
  const write = (mac: Uint8Array) =>
    runQuery(world.owner, 'update withdrawals set verdict_mac = $2 where id = $1', [
      withdrawal.id,
      Buffer.from(mac),
    ])
  for (const mac of [
    randomBytes(32),
    sealVerdict(signer.seal, other),
    sealVerdict(signer.seal, { ...withdrawal, wallet: operators.of('ana').wallet }),
    sealVerdict(signer.seal, { ...withdrawal, deposited: withdrawal.deposited, earned: cotton(1) }),
  ]) {
    await write(mac)
    await expectUnpaid(withdrawal)
  }
  // Refunded: the ledger holds nothing for it, whatever the row says.
  await runQuery(world.owner, 'update withdrawals set cancelled_at = now() where id = $1', [withdrawal.id])
  await refundCancelled(signer)
  expect((await read(withdrawal.id)).state).toBe('refunded')
  await runQuery(
    world.owner,
    `update withdrawals set state = 'approved', cancelled_at = null, settled_at = null, verdict_mac = $2 where id = $1`,
    [withdrawal.id, Buffer.from(sealVerdict(signer.seal, withdrawal))],
  )
  await signApproved(signer)
  expect(await read(withdrawal.id)).toMatchObject({ state: 'review', reasons: ['not_held'] })
  await setState(withdrawal.id, 'refunded')
})

test('an operator who is removed while the payout is built does not count', async () => {
  const withdrawal = await inReview()
  await write(withdrawal)
  await applyApprovals(signer)
  const slow: Chain = {
    ...signer.chain,
    async nonceValue(...of) {
      operators.name({ ben: ['decide'] }, '100')
      return world.chain.nonceValue(...of)
    },
  }
  await signApproved({ ...signer, chain: slow })
  expect(await read(withdrawal.id)).toMatchObject({ state: 'review', reasons: ['not_approved'] })
  operators.name({ ana: ['decide'], ben: ['decide'], vera: ['adjust', 'settings'] }, '100')
})

test('a payout that was written into the database is not replaced by a signed one', async () => {
  const withdrawal = await inReview()
  const [lane] = await runQuery<{ lane: number; account: string }>(
    world.owner,
    'select lane, nonce_account as account from lanes where withdrawal_id is null order by lane limit 1',
  )
  const nonce = await world.chain.nonceValue(lane!.account as never, 'finalized')
  await setState(withdrawal.id, 'signed')
  await runQuery(
    world.owner,
    `insert into payouts (withdrawal_id, lane, nonce, signature, wire, signed_at, unit_price, opens_account)
     values ($1, $2, $3, $4, '\\x00', now() - interval '1 hour', 1, false)`,
    [withdrawal.id, lane!.lane, nonce, '4'.repeat(88)],
  )
  const statuses: Chain['statuses'] = async (all) => all.map(() => null)
  await replacePayouts({ ...signer, chain: { ...signer.chain, statuses } })
  expect(await runQuery(world.owner, 'select from payout_replacements')).toEqual([])
  await runQuery(world.owner, `update withdrawals set state = 'review' where id = $1`, [withdrawal.id])
})

test('of many approvals of a withdrawal the newest are verified, and expired ones are not among them', async () => {
  letApprovalsExpire()
  const withdrawal = await inReview()
  for (let count = 0; count < 20; count++)
    await write(withdrawal, { expiresAt: new Date(world.clock.now().getTime() - 1) })
  await write(withdrawal)
  await applyApprovals(signer)
  expect((await read(withdrawal.id)).state).toBe('approved')
  await setState(withdrawal.id, 'review')

  letApprovalsExpire()
  const flooded = await inReview()
  await write(flooded)
  for (let count = 0; count < 30; count++) await write(flooded, { stored: { signature: randomBytes(64) } })
  const { db, counts } = countRows('acts-read-approvals')
  await applyApprovals({ ...signer, db })
  expect(Math.max(...counts)).toBe(20)
  await expectUnpaid(flooded)
  const at = new Date(world.clock.now().getTime() + HOUR_MS)
  for (let count = 0; count < 20; count++)
    await write(flooded, { at, stored: { signature: randomBytes(64) } })
  await write(flooded)
  await applyApprovals(signer)
  expect((await read(flooded.id)).state).toBe('approved')
  await setState(flooded.id, 'review')
})

/** The signer's database, and how many rows each execution of a statement has returned. */
function countRows(name: string): { db: Db; counts: number[] } {
  const counts: number[] = []
  const { rows } = interceptStatements(signer.db, async (statement, run) => {
    const returned = await run()
    if (statement.name === name) counts.push(returned.length)
    return returned
  })
  return { db: { ...signer.db, rows }, counts }
}

test('a round considers a limited number of withdrawals, and an approved one among many is found', async () => {
  letApprovalsExpire()
  const withdrawal = await inReview()
  await runQuery(
    world.owner,
    `with forged as (
       insert into withdrawals (id, wallet, deposited, earned, hold_id, day, requested_at, nonce, wallet_signature, state)
       select lpad(n::text, 32, '0')::uuid, wallet, deposited, earned, gen_random_uuid(), day, now(), md5('many ' || n),
         wallet_signature, 'review' from withdrawals, generate_series(1, 150) n where id = $1
       returning id, nonce
     )
     insert into operator_acts
       (nonce, kind, withdrawal_id, details, operator, signature, signed_form, at, expires_at, state, outcome, done_at)
     select nonce, 'approve', id, '{}', 'nobody', decode(repeat('00', 64), 'hex'), 'raw', now(), $2, 'done', '', now()
     from forged`,
    [withdrawal.id, new Date(world.clock.now().getTime() + HOUR_MS)],
  )
  await write(withdrawal)
  const { db, counts } = countRows('approvals-read-approved')
  await applyApprovals({ ...signer, db })
  expect(counts).toEqual([100])
  expect((await read(withdrawal.id)).state).toBe('review')
  await applyApprovals({ ...signer, db })
  expect((await read(withdrawal.id)).state).toBe('approved')
  await setState(withdrawal.id, 'review')
})

test('of a thousand withdrawals that are approved by writing to the database none is paid', async () => {
  letApprovalsExpire()
  const before = await world.tokenBalanceOf(player.address)
  const paid = await runQuery(world.owner, 'select from payouts')
  const real: OpenWithdrawal[] = []
  for (let count = 0; count < 20; count++) real.push(await inReview(1))
  for (const [at, each] of real.entries())
    if (at % 2 === 0) await write(each, { stored: { signature: randomBytes(64) } })
  await runQuery(
    world.owner,
    `insert into withdrawals (id, wallet, deposited, earned, hold_id, day, requested_at, nonce, wallet_signature)
     select gen_random_uuid(), wallet, deposited, earned, gen_random_uuid(), day, now(), md5(n::text), wallet_signature
     from withdrawals, generate_series(1, 980) n where id = $1`,
    [real[0]!.id],
  )
  await runQuery(
    world.owner,
    `update withdrawals set state = 'approved' where state in ('requested', 'review')`,
  )
  const countApproved = async () =>
    (await runQuery(world.owner, `select from withdrawals where state = 'approved'`)).length
  expect(await countApproved()).toBeGreaterThanOrEqual(1_000)
  await waitUntil(async () => {
    await applyApprovals(signer)
    await signApproved(signer)
    return (await countApproved()) === 0
  })
  expect(await runQuery(world.owner, 'select from payouts')).toEqual(paid)
  expect(await world.tokenBalanceOf(player.address)).toBe(before)
})
