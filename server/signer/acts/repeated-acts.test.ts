import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Act, actText, LONGEST_ACT_LIFE_MS } from '#contract/console/acts.ts'
import { cotton } from '#game/cotton.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import { readEarlyMarkets } from '#server/market/early-markets.ts'
import { readActOutcome } from '#server/operators/operator-acts.ts'
import { submitAct } from '#server/operators/submit-act.ts'
import { auditBooks } from '#server/ops/audit-books.ts'
import { readLog } from '#server/ops/operator-log.ts'
import { createPlayerWith } from '#tests/support/chain-test-players.ts'
import { readCreditOf, runQuery, SITE } from '#tests/support/chain-test-world.ts'
import { makeOps } from '#tests/support/operators.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'

const world = setUpChainTestWorld()
const { operators, context, sign, execute, run } = makeOps(world, ['ana', 'ben'])
let wallet: string

beforeEach(async () => {
  wallet = (await createPlayerWith(world, { deposited: 5 })).address
})

afterEach(async () => {
  expect(await auditBooks(world.owner)).toEqual([])
})

type Signed = Awaited<ReturnType<typeof sign>>

const adjusting = (over: Partial<Extract<Act, { kind: 'adjust' }>> = {}): Act => ({
  kind: 'adjust',
  creditClass: 'earned',
  wallet,
  amount: '7',
  reason: 'A prize.',
  ...over,
})
const changing = (what: 'open' | 'close'): Act => ({
  kind: 'market',
  what,
  continent: 'EU',
  reason: 'A test.',
})

/** Submits what was signed before, lets the signer execute it, and returns what became of it. */
async function hand(signed: Signed) {
  const { nonce, problem } = await submitAct(world.owner, await context(), {
    ...signed,
    now: world.clock.now(),
  })
  if (nonce === null) throw new Error(problem)
  await execute()
  return (await readActOutcome(world.owner, nonce))!
}

const does = async (act: Act, name = 'ben') => hand(await sign(name, act))
const done = { state: 'done' }
const earned = async () => (await readCreditOf(world.owner, wallet)).earned

/** Hands over an act that is refused with this outcome, which the operator log has as well. */
async function expectRefused(withheld: Signed, outcome: RegExp): Promise<void> {
  expect(await hand(withheld)).toMatchObject({ state: 'refused', outcome: expect.stringMatching(outcome) })
  expect((await readLog(world.owner, 1))[0]).toMatchObject({
    who: 'ana',
    command: withheld.act.kind,
    outcome: expect.stringMatching(/^Refused: It was signed as /),
  })
}

test('an adjustment that seemed lost and was signed again is done once, whoever signed it and for whatever reason', async () => {
  const withheld = await sign('ana', adjusting())
  expect(withheld.message).toContain(`To: ${wallet}\nNumber: adjustment 1 of this wallet\nReason: `)
  const others = [
    await sign('ana', adjusting()),
    await sign('ben', adjusting()),
    await sign('ana', adjusting({ reason: 'The prize.', creditClass: 'deposited', amount: '7.5' })),
  ]
  expect(await hand(others[0]!)).toMatchObject(done)
  for (const late of [withheld, others[2]!])
    await expectRefused(
      late,
      /^It was signed as adjustment 1 of this wallet, and the next one is 2\. The last one was done at \S+\. Read the log, /,
    )
  expect(await hand(others[1]!)).toMatchObject({ state: 'refused' })
  expect(await readCreditOf(world.owner, wallet)).toEqual({ deposited: cotton(5), earned: cotton(7) })
})

test('the same adjustment is done again on purpose, and other wallets do not matter', async () => {
  const first = await sign('ana', adjusting())
  const other = (await createPlayerWith(world, { deposited: 5 })).address
  expect(await does(adjusting({ wallet: other }))).toMatchObject(done)
  expect(await hand(first)).toMatchObject(done)
  const again = await sign('ana', adjusting())
  expect(again.message).toContain('\nNumber: adjustment 2 of this wallet\n')
  expect(await hand(again)).toMatchObject(done)
  expect(await earned()).toBe(cotton(14))
})

test('an adjustment that was refused uses no number', async () => {
  expect(await does(adjusting({ amount: '-8' }))).toMatchObject({ state: 'refused' })
  expect((await sign('ana', adjusting())).message).toContain('\nNumber: adjustment 1 of this wallet\n')
})

test('an act that was signed as a later one is refused, and so is one whose number was changed', async () => {
  const early = await sign('ana', adjusting(), { number: 2 })
  await expectRefused(
    early,
    /^It was signed as adjustment 2 of this wallet, and the next one is 1\. Read the log, /,
  )
  const signed = await sign('ana', adjusting(), { number: 2 })
  const message = signed.message.replace('adjustment 2 of', 'adjustment 1 of')
  const changed = { ...signed, message, now: world.clock.now() }
  expect((await submitAct(world.owner, await context(), changed)).problem).toContain('has not signed this')
  expect(await earned()).toBe(0n)
})

test('a number that was changed in the database is not what was signed', async () => {
  const nonce = await store('ana', adjusting(), { signedAs: 2, storedAs: 1 })
  await execute()
  expect(await readActOutcome(world.owner, nonce)).toMatchObject({
    state: 'refused',
    outcome: expect.stringContaining('has not signed this'),
  })
  expect(await earned()).toBe(0n)
})

test('a funding that seemed lost and was signed again is done once', async () => {
  const { address } = (await world.newSigner()).treasury
  await world.waitUntilFinal(await world.gift(address, cotton(10)))
  const { pool } = await readWorldBalances(world.owner)
  const act: Act = { kind: 'fund', amount: '3', reason: 'Rewards' }
  const withheld = await sign('ana', act)
  expect(withheld.message).toContain('Amount: 3 $COTTON\nNumber: funding 1\nReason: ')
  expect(await does(act)).toMatchObject(done)
  await expectRefused(
    withheld,
    /^It was signed as funding 1, and the next one is 2\. The last one was done at /,
  )
  expect((await readWorldBalances(world.owner)).pool - pool).toBe(cotton(3))
  expect(await does(act)).toMatchObject(done)
  expect((await readWorldBalances(world.owner)).pool - pool).toBe(cotton(6))
})

test('a market is not opened or closed by what was signed before another change', async () => {
  const opening = await sign('ana', changing('open'))
  expect(opening.message).toContain(
    'Act: open the market of Europe\nNumber: change 1 of this market\nReason: ',
  )
  expect(await does(changing('open'))).toMatchObject(done)
  const closing = await sign('ana', changing('close'))
  expect(await does({ ...changing('open'), continent: 'AF' } as Act)).toMatchObject(done)
  expect(await does(changing('close'))).toMatchObject(done)
  await expectRefused(opening, /^It was signed as change 1 of this market, and the next one is 3\. /)
  expect(await readEarlyMarkets(world.owner)).toEqual(['AF'])
  expect(await does(changing('open'))).toMatchObject(done)
  await expectRefused(closing, /^It was signed as change 2 of this market, and the next one is 4\. /)
  expect(await readEarlyMarkets(world.owner)).toEqual(['EU', 'AF'])
})

test('a command prints the number, and the same command again does the act again', async () => {
  const args = ['adjust', wallet, '7', '--class', 'earned', '--reason', 'A prize.']
  for (const number of [1, 2]) {
    expect(await run([...args, '--operator', operators.of('ana').wallet])).toContain(
      `\nNumber: adjustment ${number} of this wallet\n`,
    )
    expect(await run([...args, ...operators.key('ana')])).toContain('Adjusted: ')
    expect(await earned()).toBe(cotton(7 * number))
  }
})

test('an act of an earlier version, which has no number, is refused and says why', async () => {
  for (const act of [
    adjusting(),
    changing('open'),
    { kind: 'fund', amount: '1', reason: 'Rewards' } as const,
  ]) {
    const nonce = await store('ana', act, { signedAs: null, storedAs: null })
    await execute()
    const outcome =
      'It does not say which adjustment, funding or change it is. Acts of earlier versions did not: sign it again.'
    expect(await readActOutcome(world.owner, nonce)).toMatchObject({ state: 'refused', outcome })
  }
  expect(await earned()).toBe(0n)
})

test('an act that has no number is not done under one that somebody added to its row', async () => {
  const act: Act = { kind: 'resume', pauseId: randomUUID(), reason: 'Found it.' }
  const nonce = await store('ana', act, { signedAs: null, storedAs: 1 })
  await execute()
  const outcome = 'The act is damaged: its row is forged.'
  expect(await readActOutcome(world.owner, nonce)).toMatchObject({ state: 'refused', outcome })
})

/** Writes a signed act into the table, as whoever may insert can. */
async function store(name: string, act: Act, of: { signedAs: number | null; storedAs: number | null }) {
  const { wallet: operator, sign: signText } = operators.of(name)
  const { treasury } = await context()
  const nonce = randomBytes(16).toString('hex')
  const now = world.clock.now()
  const expiresAt = new Date(now.getTime() + LONGEST_ACT_LIFE_MS)
  const signing = { operator, nonce, expiresAt, number: of.signedAs }
  const { message } = actText(act, { ...SITE, treasury }, signing)
  await runQuery(
    world.owner,
    `insert into operator_acts
       (nonce, kind, details, operator, signature, signed_form, at, expires_at, number)
     values ($1, $2, $3, $4, $5, 'raw', $6, $7, $8)`,
    [nonce, act.kind, act, operator, Buffer.from(signText(message), 'base64'), now, expiresAt, of.storedAs],
  )
  return nonce
}
