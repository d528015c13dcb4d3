import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Cotton, cotton } from '#game/cotton.ts'
import { claimLines } from '#game/credit.ts'
import { creditDeposits } from '#server/deposits/credit-deposits.ts'
import { takeDepositAddress } from '#server/deposits/take-address.ts'
import { openBook } from '#server/ledger/book.ts'
import {
  ask,
  creditOf,
  type MoneyWorld,
  openMoneyWorld,
  type TestWallet,
  until,
} from '#tests/support/money-world.ts'
import { challengeWithdrawal } from './challenge-withdrawal.ts'
import { readWithdrawals } from './read-withdrawals.ts'
import { requestWithdrawals } from './request-withdrawal.ts'
import { requireSigned } from './routes.ts'
import { signingRounds } from './sign-payouts.ts'
import type { Signer } from './signer.ts'

let world: MoneyWorld
let signer: Signer
const site = { product: 'Cotton Farm', host: 'farm.test' }

beforeAll(async () => {
  world = await openMoneyWorld()
  signer = await world.newSigner()
})

afterEach(async () => {
  expect(await world.findings()).toEqual([])
})

afterAll(() => world.close())

async function playerWith({
  deposited,
  earned = 0,
}: {
  deposited: number
  earned?: number
}): Promise<TestWallet> {
  const wallet = await world.wallet()
  const address = (await takeDepositAddress(world.api, { wallet: wallet.address, now: world.clock.now() }))!
  if (deposited > 0) {
    await world.final(await world.gift(wallet.address, cotton(deposited)))
    await world.final(await world.transfer(wallet, address.owner, cotton(deposited)))
    await creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, address)
  }
  if (earned > 0) {
    await world.api.transaction(async (tx) => {
      const book = await openBook(tx, [wallet.address])
      const lines = claimLines(wallet.address, cotton(earned))
      book.post({ wallet: wallet.address, kind: 'claim', at: world.clock.now(), detail: {}, lines })
      await book.close()
    })
  }
  return wallet
}

async function withdraw(wallet: TestWallet, amount: Cotton) {
  const deps = { db: world.api, clock: world.clock, site }
  const message = await challengeWithdrawal(deps, { wallet: wallet.address, amount })
  const signature = await wallet.sign(message)
  const nonce = await requireSigned(site, { wallet: wallet.address, amount, message, signature })
  const asked = { wallet: wallet.address, amount, nonce, key: null }
  const [answer] = await world.api.transaction((tx) => requestWithdrawals(tx, [asked], world.clock))
  if (answer!.refusal) throw new Error(answer!.refusal.code)
  return answer!.reply.withdrawal
}

const stateOf = async (wallet: TestWallet) => (await readWithdrawals(world.api, wallet.address))[0]!

async function runUntilSettled(wallet: TestWallet, by: Signer = signer) {
  const round = signingRounds(by)
  await until(async () => {
    await round()
    return (await stateOf(wallet)).settledAt !== null
  })
}

test('a withdrawal lands in the wallet once and is settled', async () => {
  const wallet = await playerWith({ deposited: 100 })
  const asked = await withdraw(wallet, cotton(60))
  expect(asked).toMatchObject({ state: 'requested', amount: 60, deposited: 60, earned: 0 })
  expect((await creditOf(world.owner, wallet.address)).deposited).toBe(cotton(40))
  await runUntilSettled(wallet)
  expect(await stateOf(wallet)).toMatchObject({ state: 'finalized', signature: expect.any(String) })
  expect(await world.tokensOf(wallet.address)).toBe(cotton(60))
  expect(await ask(world.owner, 'select lane from lanes where withdrawal_id is not null')).toEqual([])
})
