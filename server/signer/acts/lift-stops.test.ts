import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Act } from '#contract/console/acts.ts'
import { freezeWallet, readFreeze } from '#server/freeze/freeze-wallet.ts'
import { readActOutcome } from '#server/operators/operator-acts.ts'
import { submitAct } from '#server/operators/submit-act.ts'
import { auditBooks } from '#server/ops/audit-books.ts'
import { readLog } from '#server/ops/operator-log.ts'
import { pauseWithdrawals, readPause, resumeWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'
import { createPlayerWith } from '#tests/support/chain-test-players.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { makeOps } from '#tests/support/operators.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'

const world = setUpChainTestWorld()
const { operators, context, sign, submit, execute } = makeOps(world, ['ana', 'ben'])
const HOUR_MS = 60 * 60_000
let wallet: string

beforeEach(async () => {
  wallet = (await createPlayerWith(world, { deposited: 5 })).address
})

afterEach(async () => {
  await resumeWithdrawals(world.owner)
  expect(await auditBooks(world.owner)).toEqual([])
})

const pauseFor = (why: string) => pauseWithdrawals(world.owner, { why, now: world.clock.now() })
const pauseOf = () => readPause(world.owner)
const freezeOf = () => readFreeze(world.owner, wallet)
const freeze = () => {
  const by = { reason: 'A check.', who: 'ben', now: world.clock.now() }
  return world.owner.transaction((tx) => freezeWallet(tx, { wallet, ...by }))
}

const resuming = async (): Promise<Act> => {
  return { kind: 'resume', pauseId: (await pauseOf())!.id, reason: 'Found it.' }
}
const unfreezing = async (): Promise<Act> => {
  return { kind: 'unfreeze', freezeId: (await freezeOf())!.id, wallet, reason: 'Found it.' }
}

/** Submits what was signed before, lets the signer execute it, and returns what became of it. */
async function hand(signed: Awaited<ReturnType<typeof sign>>) {
  const { nonce } = await submitAct(world.owner, await context(), { ...signed, now: world.clock.now() })
  await execute()
  return readActOutcome(world.owner, nonce!)
}

const does = async (act: Act) => hand(await sign('ben', act))
const done = { state: 'done' }

/** Hands over an act that is refused with this outcome, which the operator log has as well. */
async function expectRefused(withheld: Awaited<ReturnType<typeof sign>>, outcome: string): Promise<void> {
  expect(await hand(withheld)).toMatchObject({ state: 'refused', outcome })
  expect((await readLog(world.owner, 1))[0]).toMatchObject({
    who: 'ana',
    command: withheld.act.kind,
    outcome: `Refused: ${outcome}`,
  })
}

test('a resume that was signed for one pause lifts no later one', async () => {
  await pauseFor('A test.')
  const withheld = await sign('ana', await resuming())
  expect(withheld.message).toContain(`Act: resume withdrawals after pause ${(await pauseOf())!.id}\n`)
  expect(await does(await resuming())).toMatchObject(done)
  expect(await pauseOf()).toBeNull()
  await pauseFor('A test.')
  const { since } = (await pauseOf())!
  const outcome = `It was signed for an earlier pause, or before another cause was added. Withdrawals are paused since ${since.toISOString()}: A test.`
  await expectRefused(withheld, outcome)
  expect(await pauseOf()).not.toBeNull()
})

test('a resume lifts no reason that was added after it was signed', async () => {
  await pauseFor('A test.')
  const early = await sign('ana', await resuming())
  await pauseFor('Tokens are missing.')
  const both = 'A test. And: Tokens are missing.'
  expect(await hand(early)).toMatchObject({ state: 'refused', outcome: expect.stringContaining(both) })
  expect(await pauseOf()).toMatchObject({ why: both })
  const late = await sign('ana', await resuming())
  // The same reason again may have another cause.
  await pauseFor('A test.')
  expect(await hand(late)).toMatchObject({ state: 'refused', outcome: expect.stringContaining(both) })
  expect(await pauseOf()).toMatchObject({ why: both })
  expect(await does(await resuming())).toMatchObject(done)
  expect(await pauseOf()).toBeNull()
})

test('an unfreeze that was signed for one freeze lifts no later one', async () => {
  await freeze()
  const withheld = await sign('ana', await unfreezing())
  expect(withheld.message).toContain(`Act: unfreeze a wallet after freeze ${(await freezeOf())!.id}\n`)
  expect(await does(await unfreezing())).toMatchObject(done)
  expect(await freezeOf()).toBeNull()
  await freeze()
  const { since } = (await freezeOf())!
  const outcome = `It was signed for an earlier freeze. The wallet ${wallet} is frozen since ${since.toISOString()}: A check.`
  await expectRefused(withheld, outcome)
  expect(await freezeOf()).not.toBeNull()
})

test('an unfreeze needs a signature, and is refused where nothing is frozen', async () => {
  await freeze()
  const act = await unfreezing()
  const nonces = [await submit('ana', act), await submit('ana', act)]
  await execute()
  const outcomes = await Promise.all(nonces.map((nonce) => readActOutcome(world.owner, nonce)))
  expect(outcomes.map((each) => each?.state).toSorted()).toEqual(['done', 'refused'])
  expect(await freezeOf()).toBeNull()
})

test('an act of an earlier version, which does not name what it lifts, is refused and says why', async () => {
  await pauseFor('A test.')
  await freeze()
  for (const old of [{ kind: 'resume' }, { kind: 'unfreeze', wallet }]) {
    const nonce = randomBytes(16).toString('hex')
    const now = world.clock.now()
    await runQuery(
      world.owner,
      `insert into operator_acts (nonce, kind, details, operator, signature, signed_form, at, expires_at)
       values ($1, $2, $3, $4, $5, 'raw', $6, $7)`,
      [
        nonce,
        old.kind,
        { ...old, reason: 'Found it.' },
        operators.of('ana').wallet,
        randomBytes(64),
        now,
        new Date(now.getTime() + HOUR_MS),
      ],
    )
    await execute()
    expect(await readActOutcome(world.owner, nonce)).toMatchObject({
      state: 'refused',
      outcome:
        'It does not name the pause or freeze that it lifts. Acts of earlier versions did not: sign it again.',
    })
  }
  expect([await pauseOf(), await freezeOf()]).not.toContain(null)
})
