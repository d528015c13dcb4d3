import { getBase58Encoder } from '@solana/kit'
import { type Cotton, cotton } from '#game/cotton.ts'
import { claimEntries } from '#game/credit.ts'
import { creditDeposits } from '#server/deposits/credit-deposits.ts'
import { takeDepositAddress } from '#server/deposits/take-address.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { challengeWithdrawal } from '#server/withdrawals/challenge-withdrawal.ts'
import { readWithdrawals } from '#server/withdrawals/read-withdrawals.ts'
import { requestWithdrawals, type WithdrawalRequest } from '#server/withdrawals/request-withdrawal.ts'
import { verifySignedMessage } from '#server/withdrawals/verify-signed-message.ts'
import { createSigningRound } from '#server/signer/start-signer.ts'
import type { Signer } from '#server/signer/signer.ts'
import { type SigningWallet, SIGNING_WALLETS } from './signing-wallets.ts'
import { type ChainTestWorld, SITE, type TestWallet, waitUntil } from './chain-test-world.ts'

/** A wallet that has deposited this much on the chain and earned this much by a claim. */
export async function createPlayerWith(
  world: ChainTestWorld,
  { deposited = 0, earned = 0 }: { deposited?: number; earned?: number },
): Promise<TestWallet> {
  const wallet = await world.wallet()
  if (deposited > 0) await depositFrom(world, wallet, cotton(deposited))
  if (earned > 0) {
    await world.api.transaction(async (tx) => {
      const ledger = await openLedger(tx, [wallet.address])
      const entries = claimEntries(wallet.address, cotton(earned))
      ledger.post({ wallet: wallet.address, kind: 'claim', at: world.clock.now(), detail: {}, entries })
      ledger.write()
    })
  }
  return wallet
}

async function depositFrom(world: ChainTestWorld, wallet: TestWallet, amount: Cotton): Promise<void> {
  const address = await takeDepositAddress(world.api, { wallet: wallet.address, now: world.clock.now() })
  await world.waitUntilFinal(await world.gift(wallet.address, amount))
  await world.waitUntilFinal(await world.transfer(wallet, address!.owner, amount))
  await creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, address!)
}

/** Tests may have more open withdrawals than players. */
const MAX_OPEN_WITHDRAWALS = 1_000

const SIGNS_RAW = SIGNING_WALLETS[0]!

/** The login that serves players, and the clock of its world. A withdrawal is requested without a chain. */
type ApiWorld = { api: Db; clock: Clock }

type SigningAddress = Pick<TestWallet, 'address' | 'signBytes'>

/** A challenge signed by the wallet, as the route passes it to the action. */
export async function signWithdrawalRequest(
  world: ApiWorld,
  wallet: SigningAddress,
  amount: Cotton,
  { form, sign }: Pick<SigningWallet, 'form' | 'sign'> = SIGNS_RAW,
): Promise<WithdrawalRequest> {
  const deps = { db: world.api, clock: world.clock, site: SITE, maxOpen: MAX_OPEN_WITHDRAWALS }
  const of = { wallet: wallet.address, amount }
  const asked = await challengeWithdrawal(deps, { ...of, form })
  const publicKey = Uint8Array.from(getBase58Encoder().encode(wallet.address))
  const { signature, signedMessage } = await sign({ publicKey, sign: wallet.signBytes }, asked)
  const proof = await verifySignedMessage(SITE, {
    ...of,
    message: asked.message,
    signature: Buffer.from(signature).toString('base64'),
    signedMessage: signedMessage && Buffer.from(signedMessage).toString('base64'),
  })
  return { ...of, ...proof, key: null }
}

export const submitRequests = (world: ApiWorld, requests: readonly WithdrawalRequest[]) =>
  world.api.transaction((tx) => requestWithdrawals(tx, requests, world.clock, MAX_OPEN_WITHDRAWALS))

/** Requests a withdrawal and returns it as the player sees it. */
export async function withdraw(world: ApiWorld, wallet: SigningAddress, amount: Cotton) {
  const [answer] = await submitRequests(world, [await signWithdrawalRequest(world, wallet, amount)])
  if (answer!.refusal) throw new Error(answer!.refusal.code)
  return answer!.reply.withdrawal
}

export async function readNewestWithdrawal(world: ChainTestWorld, wallet: TestWallet) {
  return (await readWithdrawals(world.api, wallet.address))[0]!
}

/** Runs rounds of a signer until every withdrawal of these wallets is paid or refunded. */
export async function runUntilSettled(
  world: ChainTestWorld,
  signer: Signer,
  wallets: readonly TestWallet[],
): Promise<void> {
  const round = createSigningRound(signer)
  await waitUntil(async () => {
    await round()
    const lists = await Promise.all(wallets.map(({ address }) => readWithdrawals(world.api, address)))
    return lists.flat().every((withdrawal) => withdrawal.settledAt !== null)
  })
}
