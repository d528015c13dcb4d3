import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Cotton, cotton } from '#game/cotton.ts'
import { holdEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { keylessLogins } from '#tests/corpora/hostile-logins.ts'
import {
  readNewestWithdrawal,
  createPlayerWith,
  runUntilSettled,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { runQuery, SITE, type TestWallet } from '#tests/support/chain-test-world.ts'
import { makeOps } from '#tests/support/operators.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import type { Signer } from '../signer.ts'
import { applyApprovals } from './approvals.ts'
import { isSigned } from './check-signature.ts'
import { reviewRequests } from './review-requests.ts'
import { type OpenWithdrawal, readRequested } from '#server/withdrawals/open-withdrawals.ts'
import { dayOf } from '#server/withdrawals/reward-day.ts'
import { signApproved } from '../payouts/sign-approved.ts'
import { withdrawalMessage } from '#server/withdrawals/withdrawal-message.ts'

const world = setUpChainTestWorld()

type Forged = { nonce: string; signature: Uint8Array }

/** An attacker with the api's login can post a valid hold of a player's tokens and write a request for it. */
async function writeAsApi(wallet: string, amount: Cotton, { nonce, signature }: Forged): Promise<string> {
  const id = randomUUID()
  await world.api.transaction(async (tx) => {
    const ledger = await openLedger(tx, [wallet])
    const entries = holdEntries(wallet, { deposited: amount, earned: cotton(0) })
    const at = world.clock.now()
    const holdId = ledger.post({ wallet, kind: 'withdrawal', at, detail: { withdrawalId: id }, entries })
    ledger.write()
    await runQuery(
      tx,
      `insert into withdrawals (id, wallet, deposited, earned, hold_id, nonce, wallet_signature, day, requested_at)
       values ($1, $2, $3, 0, $4, $5, $6, $7::date, $8)`,
      [id, wallet, amount, holdId, nonce, signature, dayOf(at), at],
    )
  })
  return id
}

const newNonce = (): string => randomBytes(16).toString('hex')

async function signedBy(
  signer: TestWallet,
  of: { wallet: string; amount: Cotton; host?: string },
): Promise<Forged> {
  const nonce = newNonce()
  const message = withdrawalMessage({ ...SITE, host: of.host ?? SITE.host }, { ...of, nonce })
  return { nonce, signature: Buffer.from(await signer.sign(message), 'base64') }
}

const FORGED: [string, (player: TestWallet, thief: TestWallet) => Promise<Forged>][] = [
  ['random bytes', async () => ({ nonce: newNonce(), signature: randomBytes(64) })],
  [
    'the signature of someone else',
    (player, thief) => signedBy(thief, { wallet: player.address, amount: cotton(5) }),
  ],
  [
    'a signature for a smaller amount',
    (player) => signedBy(player, { wallet: player.address, amount: cotton(4) }),
  ],
  [
    'a signature for the wallet of someone else',
    (player, thief) => signedBy(player, { wallet: thief.address, amount: cotton(5) }),
  ],
  [
    'a signature for another site',
    (player) => signedBy(player, { wallet: player.address, amount: cotton(5), host: 'other.test' }),
  ],
  [
    'a signature over another nonce',
    async (player) => ({
      ...(await signedBy(player, { wallet: player.address, amount: cotton(5) })),
      nonce: newNonce(),
    }),
  ],
]

test.each(FORGED)('a request forged with the api’s login is never paid: %s', async (_name, forge) => {
  const [player, thief] = [await createPlayerWith(world, { deposited: 10 }), await world.wallet()]
  const id = await writeAsApi(player.address, cotton(5), await forge(player, thief))
  const signer = await world.newSigner()
  await reviewRequests(signer)
  expect(await readNewestWithdrawal(world, player)).toMatchObject({
    id,
    state: 'review',
    reasons: ['not_signed'],
  })
  const { operators, run } = makeOps(world)
  expect(await run(['approve', id, ...operators.key('ana')])).toContain('Approved')
  await applyApprovals({ ...signer, operators: operators.read })
  expect(await readNewestWithdrawal(world, player)).toMatchObject({ state: 'review' })
  // Not even if its state is set to approved.
  await runQuery(world.owner, `update withdrawals set state = 'approved' where id = $1`, [id])
  await signOnAnyLane(operators.read)
  expect(await readNewestWithdrawal(world, player)).toMatchObject({
    state: 'review',
    signature: null,
    reasons: ['not_signed'],
  })
  expect(await world.tokenBalanceOf(player.address)).toBe(0n)
})

/** Signs approved withdrawals on renewed lanes. */
async function signOnAnyLane(operators?: Signer['operators']): Promise<void> {
  const other = await createPlayerWith(world, { deposited: 1 })
  const signer = { ...(await world.newSigner()), ...(operators && { operators }) }
  await withdraw(world, other, cotton(1))
  await runUntilSettled(world, signer, [other])
  await signApproved(signer)
}

test('one signature of a player allows one withdrawal (X-04)', async () => {
  const player = await createPlayerWith(world, { deposited: 10 })
  const message = await signedBy(player, { wallet: player.address, amount: cotton(5) })
  await writeAsApi(player.address, cotton(5), message)
  await expect(writeAsApi(player.address, cotton(5), message)).rejects.toThrow(/withdrawals_by_nonce/)
  await runUntilSettled(world, await world.newSigner(), [player])
  await expect(writeAsApi(player.address, cotton(5), message)).rejects.toThrow(/withdrawals_by_nonce/)
})

test('the api’s login cannot write a request without a signature', async () => {
  const { address } = await createPlayerWith(world, { deposited: 10 })
  const columns = 'id, wallet, deposited, earned, hold_id, day, requested_at'
  const row = `gen_random_uuid(), $1, 1, 0, gen_random_uuid(), current_date, now()`
  const bare = runQuery(world.api, `insert into withdrawals (${columns}) values (${row})`, [address])
  await expect(bare).rejects.toThrow(/violates not-null constraint/)
})

test('only a strict signature over the exact message passes', async () => {
  const player = await createPlayerWith(world, { deposited: 10 })
  await withdraw(world, player, cotton(5))
  const requested = await readRequested(world.owner)
  const withdrawal: OpenWithdrawal = requested.find(({ wallet }) => wallet === player.address)!
  expect(await isSigned(SITE, withdrawal)).toBe(true)
  expect(await isSigned({ ...SITE, product: 'Another Farm' }, withdrawal)).toBe(false)
  expect(await isSigned(SITE, { ...withdrawal, earned: 1n as Cotton })).toBe(false)
  expect(await isSigned(SITE, { ...withdrawal, nonce: '' })).toBe(false)
  expect(await isSigned(SITE, { ...withdrawal, walletSignature: new Uint8Array() })).toBe(false)
  expect(
    await isSigned(SITE, { ...withdrawal, walletSignature: withdrawal.walletSignature.subarray(1) }),
  ).toBe(false)
  // Anyone can sign for a key of small order. Adding the group order to S forges another form of the signature.
  for (const { name, wallet, signature } of await keylessLogins()) {
    const forged = { ...withdrawal, wallet, walletSignature: Buffer.from(signature, 'base64') }
    expect(await isSigned(SITE, forged), name).toBe(false)
  }
  const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n
  const s = Buffer.from(withdrawal.walletSignature!.subarray(32).toReversed()).toString('hex')
  const turned = (BigInt(`0x${s}`) + ORDER).toString(16).padStart(64, '0')
  const malleated = Buffer.concat([
    withdrawal.walletSignature!.subarray(0, 32),
    Buffer.from(turned, 'hex').toReversed(),
  ])
  expect(await isSigned(SITE, { ...withdrawal, walletSignature: malleated })).toBe(false)
  await runUntilSettled(world, await world.newSigner(), [player])
})
