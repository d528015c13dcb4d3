import { afterEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Chain, type ChainNode, ChainUnavailable, type Nonce } from '#server/chain/port.ts'
import { UnknownOutcomeError } from '#server/platform/db/db.ts'
import { TermLostError } from '#server/platform/role-term.ts'
import { readOpenPayouts } from '#server/withdrawals/open-withdrawals.ts'
import { createPlayerWith, withdraw } from '#tests/support/chain-test-players.ts'
import { readCreditOf, runQuery, waitUntil } from '#tests/support/chain-test-world.ts'
import { createNode } from '#tests/support/nodes.ts'
import { createReceipt } from '#tests/support/nodes-with-histories.ts'
import { createReadySigner } from '#tests/support/payouts.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { trackFailedWithdrawals, WithdrawalsFailed } from './failed-withdrawals.ts'
import { refundCancelled } from './payouts/refund-cancelled.ts'
import { sendPayouts } from './payouts/send-payouts.ts'
import { settlePayouts } from './payouts/settle-payouts.ts'
import { signApproved } from './payouts/sign-approved.ts'
import { reviewRequests } from './review/review-requests.ts'
import { readSignerState } from './signer-state.ts'
import { createSigningRound } from './start-signer.ts'

const world = setUpChainTestWorld()

afterEach(async () => {
  await runQuery(world.owner, 'drop trigger if exists damaged on withdrawals')
  // What was damaged is done at last.
  const round = createSigningRound(await world.newSigner())
  await waitUntil(async () => (await round(), (await openStates()).length === 0))
})

const openStates = () =>
  runQuery(world.owner, `select from withdrawals where state not in ('finalized', 'refunded')`)

/** Three withdrawals of three players, oldest first, and a signer. */
async function requestThree() {
  const signer = await createReadySigner(world)
  const ids: string[] = []
  const wallets: string[] = []
  for (let count = 0; count < 3; count++) {
    const player = await createPlayerWith(world, { deposited: 5 })
    wallets.push(player.address)
    ids.push((await withdraw(world, player, cotton(5))).id)
    world.clock.skip(1_000)
  }
  const states = async () => {
    const rows = await runQuery<{ id: string; state: string }>(
      world.owner,
      'select id::text, state from withdrawals where id = any($1)',
      [ids],
    )
    return ids.map((id) => rows.find((row) => row.id === id)!.state)
  }
  return { signer, ids, wallets, states }
}

/** From now on the database refuses to change this withdrawal. */
async function damage(id: string): Promise<void> {
  await runQuery(
    world.owner,
    `create or replace function refuse_change() returns trigger language plpgsql
       as $$ begin raise exception 'this row is damaged'; end $$`,
  )
  await runQuery(
    world.owner,
    `create or replace trigger damaged before update on withdrawals for each row
       when (old.id = '${id}') execute function refuse_change()`,
  )
}

async function expectFailed(step: Promise<void>, id: string): Promise<void> {
  const error = await step.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(WithdrawalsFailed)
  expect(error).toMatchObject({ ids: [id] })
}

test('a withdrawal that cannot be reviewed does not keep others from being reviewed', async () => {
  const { signer, ids, states } = await requestThree()
  await damage(ids[1]!)
  await expectFailed(reviewRequests(signer), ids[1]!)
  expect(await states()).toEqual(['approved', 'requested', 'approved'])
})

test('a withdrawal that cannot be signed does not keep others from being signed, and takes no lane', async () => {
  const { signer, ids, states } = await requestThree()
  await reviewRequests(signer)
  await damage(ids[1]!)
  const settings = { ...signer.settings, payoutLanes: 2 }
  await expectFailed(signApproved({ ...signer, settings }), ids[1]!)
  expect(await states()).toEqual(['signed', 'approved', 'signed'])
})

test('a payout that cannot be sent or settled does not keep others from it', async () => {
  const { signer, ids, states } = await requestThree()
  await reviewRequests(signer)
  await signApproved(signer)
  await damage(ids[1]!)
  await expectFailed(sendPayouts(signer), ids[1]!)
  expect(await states()).toEqual(['sent', 'signed', 'sent'])
  const failures: unknown[] = []
  await waitUntil(async () => {
    await settlePayouts(signer).catch((error: unknown) => failures.push(error))
    return (await states()).filter((state) => state === 'finalized').length === 2
  })
  expect(await states()).toEqual(['finalized', 'signed', 'finalized'])
  await expectFailed(settlePayouts(signer), ids[1]!)
  expect(failures.every((error) => error instanceof WithdrawalsFailed)).toBe(true)
})

test('a failed payout about which one node contradicts itself is refunded, and does not stop others from being settled', async () => {
  const { signer, ids, states } = await requestThree()
  await reviewRequests(signer)
  await signApproved(signer)
  const failing = (await readOpenPayouts(signer.db)).find(({ id }) => id === ids[0])!
  const contradictory: Chain = {
    ...signer.chain,
    statuses: async (of) =>
      of.map((each) => ({ slot: 1n, commitment: 'finalized', failed: each === failing.signature })),
    nonceValue: async () => 'moved-on' as Nonce,
    receipt: async () => {
      throw new ChainUnavailable('it moves tokens, although it failed')
    },
  }
  const honest = createNode(contradictory, {
    receipt: async (signature) =>
      createReceipt({ signature, slot: 1n, failed: true, lifetime: failing.lane.nonce }),
  })
  const through = (...others: ChainNode[]): Chain => ({
    ...contradictory,
    nodes: [createNode(contradictory), ...others],
  })
  for (const others of [[], [honest]]) {
    await settlePayouts({ ...signer, chain: through(...others) })
    expect(await states()).toEqual(['signed', 'finalized', 'finalized'])
  }
  await settlePayouts({ ...signer, chain: through(honest, honest) })
  expect(await states()).toEqual(['refunded', 'finalized', 'finalized'])
})

test('a player whose account the api has damaged does not keep others from being refunded', async () => {
  const { signer, ids, wallets, states } = await requestThree()
  await runQuery(world.api, 'update withdrawals set cancelled_at = $2 where id = any($1)', [
    ids,
    world.clock.now(),
  ])
  const shift = (by: number) =>
    runQuery(
      world.api,
      `update accounts set version = version + $2 where wallet = $1 and class = 'deposited'`,
      [wallets[1], by],
    )
  await shift(-1)
  await expectFailed(refundCancelled(signer), ids[1]!)
  expect(await states()).toEqual(['refunded', 'requested', 'refunded'])
  for (const wallet of [wallets[0]!, wallets[2]!])
    expect((await readCreditOf(world.owner, wallet)).deposited).toBe(cotton(5))
  await shift(1)
})

test('a round pays all others, and fails at its end while one withdrawal fails', async () => {
  const { ids, states } = await requestThree()
  await damage(ids[1]!)
  const round = createSigningRound(await world.newSigner())
  await waitUntil(async () => {
    await expectFailed(round(), ids[1]!)
    return (await states()).filter((state) => state === 'finalized').length === 2
  })
  expect(await states()).toEqual(['finalized', 'requested', 'finalized'])
})

test('a signer is not silent while a withdrawal fails, which delays each round by 15 seconds', async () => {
  await createReadySigner(world)
  const { id } = await withdraw(world, await createPlayerWith(world, { deposited: 5 }), cotton(5))
  await damage(id)
  const round = createSigningRound(await world.newSigner())
  // Each round takes ten seconds more.
  for (let rounds = 0; rounds < 20; rounds++) {
    await expectFailed(round(), id)
    world.clock.skip(25_000)
    expect(await readSignerState(world.watcher, world.clock.now())).toMatchObject({ silent: false })
  }
})

test('a round ends at once when the chain is away', async () => {
  const { signer, states } = await requestThree()
  await reviewRequests(signer)
  let asked = 0
  const nonceValue: Chain['nonceValue'] = async () => {
    asked += 1
    throw new ChainUnavailable('no node answers')
  }
  await expect(
    signApproved({ ...signer, chain: { ...signer.chain, nonceValue, nodes: [] } }),
  ).rejects.toThrow(ChainUnavailable)
  expect(asked).toBe(1)
  expect(await states()).toEqual(['approved', 'approved', 'approved'])
})

test.each([
  new ChainUnavailable('no node answers'),
  new UnknownOutcomeError(new Error('Connection terminated')),
  Object.assign(new Error('the server shuts down'), { code: '57P01' }),
  new TermLostError('signer'),
])('what all withdrawals would meet ends the step: %s', async (error) => {
  const failed = trackFailedWithdrawals(world)
  const fail = async () => {
    throw error
  }
  await expect(failed.isolate('a', fail)).rejects.toBe(error)
  await expect(failed.collect(fail())).rejects.toBe(error)
  expect(() => failed.end()).not.toThrow()
})
