import { rmSync, writeFileSync } from 'node:fs'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import type { Act } from '#contract/console/acts.ts'
import { RIGHTS } from '#contract/console/rights.ts'
import { cotton } from '#game/cotton.ts'
import { ChainUnavailable } from '#server/chain/port.ts'
import { readActOutcome } from '#server/operators/operator-acts.ts'
import { submitAct } from '#server/operators/submit-act.ts'
import { auditBooks } from '#server/ops/audit-books.ts'
import { readLog } from '#server/ops/operator-log.ts'
import { cancelWithdrawals } from '#server/withdrawals/cancel-withdrawal.ts'
import { pauseWithdrawals, readPause } from '#server/withdrawals/withdrawal-pause.ts'
import { createPlayerWith, withdraw } from '#tests/support/chain-test-players.ts'
import { readCreditOf, runQuery } from '#tests/support/chain-test-world.ts'
import { makeOps } from '#tests/support/operators.ts'
import { newMainnetSigner } from '#tests/support/payouts.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { refundCancelled } from '../payouts/refund-cancelled.ts'
import { reviewRequests } from '../review/review-requests.ts'
import { executeActs } from './execute-acts.ts'

const world = setUpChainTestWorld()
const { operators, context, sign, submit, execute } = makeOps(world, ['ana', 'ben', 'vera', 'eve'])
const HOUR_MS = 60 * 60_000

function nameAll(): void {
  operators.name({ ana: RIGHTS, ben: RIGHTS, vera: ['decide'] })
}
nameAll()

afterEach(async () => {
  nameAll()
  expect(await auditBooks(world.owner)).toEqual([])
})

const newestLogged = async () => (await readLog(world.owner, 1))[0]!
const outcomeOf = (nonce: string) => readActOutcome(world.owner, nonce)

const giving = (wallet: string, amount = '7'): Act => ({
  kind: 'adjust',
  creditClass: 'earned',
  wallet,
  amount,
  reason: 'A prize.',
})

const hand = async (signed: Awaited<ReturnType<typeof sign>>) =>
  submitAct(world.owner, await context(), { ...signed, now: world.clock.now() })

test('a signed act is executed once, whoever submits it and however many signers look', async () => {
  const { address } = await createPlayerWith(world, { deposited: 1 })
  const signed = await sign('ana', giving(address))
  const submitted = await Promise.all([hand(signed), hand(signed), hand(signed)])
  expect(new Set(submitted.map((each) => each.nonce)).size).toBe(1)
  expect((await readCreditOf(world.owner, address)).earned).toBe(0n)
  await Promise.all([execute(), execute(), execute()])
  await hand(signed)
  await execute()
  expect((await readCreditOf(world.owner, address)).earned).toBe(cotton(7))
  const outcome = 'has 7 $COTTON of earned credit. Before: 0.'
  expect(await outcomeOf(submitted[0]!.nonce!)).toMatchObject({
    state: 'done',
    outcome: expect.stringContaining(outcome),
  })
  const log = (await readLog(world.owner, 50)).filter((line) => line.arguments.wallet === address)
  expect(log).toMatchObject([{ who: 'ana', command: 'adjust', reason: 'A prize.' }])
})

test('what is submitted with a fault is refused with a reason, logged, and moves nothing', async () => {
  const { address } = await createPlayerWith(world, { deposited: 1 })
  const signed = await sign('ana', giving(address))
  const other = await sign('ben', giving(address, '8'))
  const faults: [object, string][] = [
    [{ act: giving(address, '70') }, 'not the one of this act'],
    [{ act: giving(operators.of('ana').wallet) }, 'not the one of this act'],
    [{ act: { ...giving(address), more: 'x' } }, 'its more is not valid'],
    [{ message: signed.message.replace('7 $COTTON', '70 $COTTON') }, 'not the one of this act'],
    [{ message: 'hello' }, 'names no nonce and expiry'],
    [{ signature: other.signature }, 'has not signed this'],
    [{ signature: 'x' }, 'signed something else'],
    [{ operator: other.operator }, 'not the one of this act'],
    [await sign('vera', giving(address)), 'vera does not have the right adjust'],
    [await sign('eve', giving(address)), 'does not belong to an operator'],
    [await sign('ana', giving(address), { treasury: address }), 'not the one of this act'],
  ]
  for (const [fault, sentence] of faults) {
    const { nonce, problem } = await hand({ ...signed, ...fault })
    expect([nonce, problem]).toEqual([null, expect.stringContaining(sentence)])
    expect((await newestLogged()).outcome).toBe(`Refused: ${problem}`)
  }
  expect(
    await runQuery(world.owner, 'select from operator_acts where operator = $1', [other.operator]),
  ).toEqual([])
  await execute()
  expect((await readCreditOf(world.owner, address)).earned).toBe(0n)
})

test('a signature is valid until it expires, and no longer than a day', async () => {
  const { address } = await createPlayerWith(world, { deposited: 1 })
  const signed = await sign('ana', giving(address))
  const late = signed.message.replace(
    /Expires: .*/,
    `Expires: ${new Date(Date.now() + 999 * HOUR_MS).toISOString()}`,
  )
  const long = { ...signed, message: late, signature: operators.of('ana').sign(late) }
  expect((await hand(long)).problem).toContain('more than 24 hours')
  const nonce = await submit('ana', giving(address))
  world.clock.skip(25 * HOUR_MS)
  expect((await hand(signed)).problem).toContain('It expired at')
  await execute()
  expect(await outcomeOf(nonce)).toMatchObject({
    state: 'refused',
    outcome: expect.stringContaining('expired at'),
  })
  expect((await readCreditOf(world.owner, address)).earned).toBe(0n)
})

test('a nonce that was used for one act signs no other', async () => {
  const { address } = await createPlayerWith(world, { deposited: 1 })
  const first = await sign('ana', giving(address))
  await hand(first)
  const nonce = /Nonce: (\S+)/.exec(first.message)![1]!
  const message = first.message.replace('7 $COTTON', '8 $COTTON')
  const again = { ...first, act: giving(address, '8'), message, signature: operators.of('ana').sign(message) }
  expect((await hand(again)).problem).toContain('This nonce was used already')
  await execute()
  expect(await outcomeOf(nonce)).toMatchObject({ state: 'done' })
  expect((await readCreditOf(world.owner, address)).earned).toBe(cotton(7))
})

test('the signer verifies what is in the table by its own operators, whoever wrote it there', async () => {
  const { address } = await createPlayerWith(world, { deposited: 1 })
  const nonces = [await submit('ana', giving(address)), await submit('ben', giving(address))]
  // A row that was changed before the signer saw it, and one of an operator who was removed.
  await world.owner.transaction(async (tx) => {
    await runQuery(tx, 'set local session_replication_role = replica')
    await runQuery(tx, `update operator_acts set details = details || '{"amount": "700"}' where nonce = $1`, [
      nonces[0],
    ])
  })
  operators.name({ ana: RIGHTS })
  await execute()
  expect(await outcomeOf(nonces[0]!)).toMatchObject({
    state: 'refused',
    outcome: expect.stringContaining('has not signed'),
  })
  expect(await outcomeOf(nonces[1]!)).toMatchObject({
    state: 'refused',
    outcome: expect.stringContaining('does not belong to an operator'),
  })
  expect((await newestLogged()).outcome).toContain('Refused: ')
  expect((await readCreditOf(world.owner, address)).earned).toBe(0n)
  await expect(
    runQuery(world.owner, `update operator_acts set state = 'waiting', done_at = null where nonce = $1`, [
      nonces[0],
    ]),
  ).rejects.toThrow('decided once')
})

test('an act that cannot be done leaves nothing but its refusal', async () => {
  const { address } = await createPlayerWith(world, { deposited: 5 })
  const nonce = await submit('ana', giving(address, '-7'))
  await execute()
  expect(await outcomeOf(nonce)).toMatchObject({
    state: 'refused',
    outcome: `${address} has only 0 $COTTON of earned credit.`,
  })
  expect(await newestLogged()).toMatchObject({ who: 'ana', command: 'adjust', reason: 'A prize.' })
})

test('an act waits while the chain does not answer, and does not keep others from being done', async () => {
  await pauseWithdrawals(world.owner, { why: 'a test', now: world.clock.now() })
  const { id: pauseId } = (await readPause(world.owner))!
  const funding = await submit('ana', { kind: 'fund', amount: '1', reason: 'Rewards' })
  const resuming = await submit('ana', { kind: 'resume', pauseId, reason: 'It was a test.' })
  const tokenBalances = async () => {
    throw new ChainUnavailable('no node answers')
  }
  await execute({ chain: { ...world.chain, tokenBalances } })
  expect(await outcomeOf(funding)).toMatchObject({ state: 'waiting', outcome: 'no node answers' })
  expect(await outcomeOf(resuming)).toMatchObject({ state: 'done' })
  expect(await readPause(world.owner)).toBeNull()
  await execute()
  expect(await outcomeOf(funding)).toMatchObject({
    state: 'refused',
    outcome: expect.stringContaining('has 0 $COTTON'),
  })
})

test.each(['broken', 'missing'])('an act waits while the operators file is %s', async (state) => {
  const { address } = await createPlayerWith(world, { deposited: 1 })
  const nonces = [await submit('ana', giving(address)), await submit('ben', giving(address))]
  if (state === 'broken') writeFileSync(operators.file, '{ "operators": [')
  else rmSync(operators.file)
  const logged: { level: number; msg: string }[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  await execute({ log })
  const why = expect.stringContaining(operators.file)
  for (const nonce of nonces) expect(await outcomeOf(nonce)).toMatchObject({ state: 'waiting', outcome: why })
  expect(logged).toHaveLength(2)
  expect(logged[0]).toMatchObject({ level: 40, msg: expect.stringContaining('an act waits: ') })
  // Ben's key was stolen, for example.
  operators.name({ ana: RIGHTS })
  await execute()
  expect(await outcomeOf(nonces[0]!)).toMatchObject({ state: 'done' })
  expect(await outcomeOf(nonces[1]!)).toMatchObject({
    state: 'refused',
    outcome: expect.stringContaining('does not belong to an operator'),
  })
})

test('an act that fails is logged with the reason, and is tried again', async () => {
  const funding = await submit('ana', { kind: 'fund', amount: '1', reason: 'Rewards' })
  const tokenBalances = async () => {
    throw new Error('a bug')
  }
  const logged: object[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  await execute({ log, chain: { ...world.chain, tokenBalances } })
  expect(logged).toMatchObject([{ act: funding, kind: 'fund', err: { message: 'a bug' } }])
  const why = expect.stringContaining('The log of the signer says why')
  expect(await outcomeOf(funding)).toMatchObject({ state: 'waiting', outcome: why })
  await execute()
  expect(await outcomeOf(funding)).toMatchObject({ state: 'refused' })
})

/** A withdrawal of 5 $COTTON in review, with what an act about it names. */
async function withdrawalInReview() {
  const player = await createPlayerWith(world, { deposited: 5 })
  const { id } = await withdraw(world, player, cotton(5))
  const signer = await newMainnetSigner(world)
  await reviewRequests(signer)
  const of = { withdrawalId: id, wallet: player.address, amount: '5' }
  return { player, signer, of }
}

test('a rejection waits until the ledger is reconciled with the chain', async () => {
  const { player, signer, of } = await withdrawalInReview()
  const stale = await submit('ana', { kind: 'reject', ...of, amount: '4', reason: 'No' })
  const nonce = await submit('ana', { kind: 'reject', ...of, reason: 'No' })
  await executeActs({ ...signer, reconciled: false })
  const why = expect.stringContaining('not reconciled')
  expect(await outcomeOf(nonce)).toMatchObject({ state: 'waiting', outcome: why })
  await executeActs({ ...signer, reconciled: true })
  expect(await outcomeOf(nonce)).toMatchObject({ state: 'done' })
  expect(await outcomeOf(stale)).toMatchObject({
    state: 'refused',
    outcome: expect.stringContaining('not what the operator signed'),
  })
  expect((await readCreditOf(world.owner, player.address)).deposited).toBe(cotton(5))
  await world.newSigner()
})

test('a withdrawal that its player has cancelled is not approved', async () => {
  const { player, signer, of } = await withdrawalInReview()
  const nonce = await submit('ana', { kind: 'approve', ...of })
  const request = { wallet: player.address, withdrawalId: of.withdrawalId, key: null }
  await world.api.transaction((tx) => cancelWithdrawals(tx, [request], world.clock))
  await executeActs({ ...signer, reconciled: true })
  expect(await outcomeOf(nonce)).toMatchObject({
    state: 'refused',
    outcome: `Withdrawal ${of.withdrawalId} was cancelled by its player. It cannot be approved.`,
  })
  await refundCancelled(signer)
  expect((await readCreditOf(world.owner, player.address)).deposited).toBe(cotton(5))
  await world.newSigner()
})

test('rejections that wait do not keep other acts from being done, however many they are', async () => {
  const { player, signer, of } = await withdrawalInReview()
  const rejecting: string[] = []
  // As many as one round executes.
  for (let count = 0; count < 100; count++)
    rejecting.push(await submit('ana', { kind: 'reject', ...of, reason: 'No' }))
  world.clock.skip(1_000)
  const adjusting = await submit('ana', giving(player.address))
  await executeActs({ ...signer, reconciled: false })
  expect(await outcomeOf(rejecting[0]!)).toMatchObject({ state: 'waiting' })
  expect(await outcomeOf(adjusting)).toMatchObject({ state: 'done' })
  await executeActs({ ...signer, reconciled: true })
  const outcomes = await Promise.all(rejecting.map(outcomeOf))
  expect(outcomes.filter((each) => each?.state === 'done')).toHaveLength(1)
  await world.newSigner()
})

test('an act that waits to take payouts back is tried again later, and delays no other', async () => {
  const player = await createPlayerWith(world, { deposited: 1 })
  const signer = await newMainnetSigner(world)
  let reads = 0
  const history = async () => {
    reads += 1
    throw new ChainUnavailable('a test')
  }
  const away = { ...signer, chain: { ...world.chain, history }, reconciled: true }
  const taking: string[] = []
  // As many as one round executes.
  for (let count = 0; count < 100; count++)
    taking.push(await submit('ana', { kind: 'take-back', payouts: '1', amount: '3', reason: 'A test.' }))
  world.clock.skip(1_000)
  const adjusting = await submit('ana', giving(player.address))
  await executeActs(away)
  const attempt = reads
  await executeActs(away)
  expect(await outcomeOf(adjusting)).toMatchObject({ state: 'done' })
  expect(await outcomeOf(taking[0]!)).toMatchObject({ state: 'waiting' })
  for (let round = 3; round <= 10; round++) await executeActs(away)
  expect(reads).toBe(attempt)
  await executeActs(away)
  expect(reads).toBe(2 * attempt)
  await execute()
  expect(await outcomeOf(taking[99]!)).toMatchObject({ state: 'refused' })
  await world.newSigner()
})

test('of two operators at once the second reads who was first, and one approval has one effect', async () => {
  const player = await createPlayerWith(world, { deposited: 5 })
  const { id } = await withdraw(world, player, cotton(5))
  const signer = await newMainnetSigner(world)
  await reviewRequests(signer)
  const act: Act = { kind: 'approve', withdrawalId: id, wallet: player.address, amount: '5' }
  const nonces: string[] = []
  for (const name of ['ana', 'ana', 'ben']) {
    nonces.push(await submit(name, act))
    // Acts are executed in the order of their times. Of two at the same time the random nonce decides.
    world.clock.skip(1)
  }
  await executeActs({ ...signer, reconciled: true })
  expect((await Promise.all(nonces.map(outcomeOf))).map((each) => each?.outcome)).toEqual([
    expect.stringContaining('Approved: 5 $COTTON'),
    expect.stringContaining('ana has already approved'),
    expect.stringContaining('is already approved by ana'),
  ])
  await world.newSigner()
})

test('one operator adds to balances within 24 hours what the file allows; others and removals do not count', async () => {
  const { address } = await createPlayerWith(world, { deposited: 1 })
  const give = async (name: string, amount: string) => {
    const nonce = await submit(name, giving(address, amount))
    await execute()
    return (await outcomeOf(nonce))!
  }
  world.clock.skip(25 * HOUR_MS)
  operators.name({ ana: RIGHTS, ben: RIGHTS }, '100000', '10')
  expect(await give('ana', '10.000001')).toMatchObject({ state: 'refused' })
  expect(await give('ana', '6')).toMatchObject({ state: 'done' })
  expect(await give('ana', '-6')).toMatchObject({ state: 'done' })
  expect(await give('ben', '10')).toMatchObject({ state: 'done' })
  expect(await give('ana', '4.000001')).toMatchObject({
    state: 'refused',
    outcome: expect.stringContaining('ana has added 6 $COTTON to balances within 24 hours'),
  })
  expect(await give('ana', '4')).toMatchObject({ state: 'done' })
  expect(await give('ana', '0.000001')).toMatchObject({ state: 'refused' })
  world.clock.skip(24 * HOUR_MS)
  expect(await give('ana', '10')).toMatchObject({ state: 'done' })
  // What was added while the clock was ahead does not count once it is set back.
  world.clock.skip(100 * HOUR_MS)
  expect(await give('ana', '10')).toMatchObject({ state: 'done' })
  world.clock.skip(-50 * HOUR_MS)
  expect(await give('ana', '10')).toMatchObject({ state: 'done' })
  expect((await readCreditOf(world.owner, address)).earned).toBe(cotton(44))
})
