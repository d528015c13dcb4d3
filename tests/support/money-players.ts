import { type Cotton, cotton } from '#game/cotton.ts'
import { claimLines } from '#game/credit.ts'
import { creditDeposits } from '#server/deposits/credit-deposits.ts'
import { takeDepositAddress } from '#server/deposits/take-address.ts'
import { openBook } from '#server/ledger/book.ts'
import { challengeWithdrawal } from '#server/withdrawals/challenge-withdrawal.ts'
import { readWithdrawals } from '#server/withdrawals/read-withdrawals.ts'
import { requestWithdrawals, type Withdrawing } from '#server/withdrawals/request-withdrawal.ts'
import { requireSigned } from '#server/withdrawals/require-signed.ts'
import { signingRounds } from '#server/signer/sign-payouts.ts'
import type { Signer } from '#server/signer/signer.ts'
import { type MoneyWorld, SITE, type TestWallet, until } from './money-world.ts'

/** A wallet that has deposited, over the chain, and earned, by a claim, this much. */
export async function playerWith(
  world: MoneyWorld,
  { deposited = 0, earned = 0 }: { deposited?: number; earned?: number },
): Promise<TestWallet> {
  const wallet = await world.wallet()
  if (deposited > 0) await depositFrom(world, wallet, cotton(deposited))
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

async function depositFrom(world: MoneyWorld, wallet: TestWallet, amount: Cotton): Promise<void> {
  const address = await takeDepositAddress(world.api, { wallet: wallet.address, now: world.clock.now() })
  await world.final(await world.gift(wallet.address, amount))
  await world.final(await world.transfer(wallet, address!.owner, amount))
  await creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, address!)
}

/** Tests may have more withdrawals open at once than players. */
const MANY = 1_000

/** A challenge that the wallet has signed, as the route hands it on. */
export async function signedRequest(
  world: MoneyWorld,
  wallet: TestWallet,
  amount: Cotton,
): Promise<Withdrawing> {
  const deps = { db: world.api, clock: world.clock, site: SITE, mostOpen: MANY }
  const message = await challengeWithdrawal(deps, { wallet: wallet.address, amount })
  const signature = await wallet.sign(message)
  const proof = await requireSigned(SITE, { wallet: wallet.address, amount, message, signature })
  return { wallet: wallet.address, amount, ...proof, key: null }
}

export const request = (world: MoneyWorld, asked: readonly Withdrawing[]) =>
  world.api.transaction((tx) => requestWithdrawals(tx, asked, world.clock, MANY))

/** A withdrawal that is held, as the player sees it. */
export async function withdraw(world: MoneyWorld, wallet: TestWallet, amount: Cotton) {
  const [answer] = await request(world, [await signedRequest(world, wallet, amount)])
  if (answer!.refusal) throw new Error(answer!.refusal.code)
  return answer!.reply.withdrawal
}

/** The newest withdrawal of a wallet. */
export async function newestOf(world: MoneyWorld, wallet: TestWallet) {
  return (await readWithdrawals(world.api, wallet.address))[0]!
}

/** Lets a signer work until every withdrawal of these wallets is over. */
export async function runUntilSettled(
  world: MoneyWorld,
  signer: Signer,
  wallets: readonly TestWallet[],
): Promise<void> {
  const round = signingRounds(signer)
  await until(async () => {
    await round()
    const lists = await Promise.all(wallets.map(({ address }) => readWithdrawals(world.api, address)))
    return lists.flat().every((withdrawal) => withdrawal.settledAt !== null)
  })
}
