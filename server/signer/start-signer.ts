import { join } from 'node:path'
import { ChainUnavailable } from '#server/chain/port.ts'
import { connectBoundChain } from '#server/deposits/connect-bound-chain.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'
import { type RunningRounds, startRounds } from '#server/platform/run-rounds.ts'
import { siteOf } from '#server/platform/site.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { applyApprovals } from './review/approvals.ts'
import { bindChain } from './keys/bind-chain.ts'
import { ensureFreeAddresses } from './keys/ensure-free-addresses.ts'
import { fundLocalPool } from './fund-local-pool.ts'
import { reviewRequests } from './review/review-requests.ts'
import { recordMissedSweeps } from './sweeps/record-missed-sweeps.ts'
import { readMasterSeed } from './keys/master-seed.ts'
import { openLanes } from './nonces/open-lanes.ts'
import { reconcilePayouts, reconcileSigned } from './payouts/reconcile-payouts.ts'
import { renewLanes } from './nonces/renew-lanes.ts'
import { replacePayouts } from './payouts/replace-payouts.ts'
import { openTodaysBudget } from './review/reward-bounds.ts'
import { sendPayouts } from './payouts/send-payouts.ts'
import { settlePayouts } from './payouts/settle-payouts.ts'
import { signApproved } from './payouts/sign-approved.ts'
import { openSignedPayoutLog } from './payouts/signed-payout-log.ts'
import { openSigner, type Signer } from './signer.ts'
import { recordSignerState, type SignerStage } from './signer-state.ts'
import { sweepDeposits } from './sweeps/sweep-deposits.ts'
import { watchTreasury } from './sweeps/watch-treasury.ts'

const LOCAL_PACE_MS = 500
const PACE_MS = 3_000

/** Sweeping is never urgent, nor is a look at the treasury. */
const ROUNDS_BETWEEN_SWEEPS = 10

/** The chain's record is held against the books again so often, whatever they seem to say. */
const ROUNDS_BETWEEN_RECONCILIATIONS = 100

/**
 * The role `signer`: makes deposit addresses, sweeps deposits and pays withdrawals. It alone reads the seed, listens
 * on nothing, and is told what to do by the database only.
 */
export async function startSigner(config: Config, log: Log, env = process.env): Promise<RunningRounds> {
  const seed = readMasterSeed({ ...config, env })
  const pool = { url: config.databaseUrl, max: 4, applicationName: 'signer', log }
  return startRounds(pool, async (db) => {
    const chain = await connectBoundChain(config, db)
    const { withdrawals: settings, dataDir } = config
    const signed = openSignedPayoutLog(join(dataDir, 'signed', 'payouts.log'))
    const site = siteOf(config)
    const signer = await openSigner({ db, chain, clock: systemClock, log, seed, site, settings, signed })
    const isLocal = chain.facts.cluster === 'local'
    await prepareSigner(signer, { localRpcUrl: isLocal ? config.solanaRpcUrls[0]! : null })
    log.info({ treasury: signer.treasury.address }, 'the signer is up')
    return { round: createSigningRound(signer), intervalMs: config.localChain ? LOCAL_PACE_MS : PACE_MS }
  })
}

/** What must stand before the first player comes: the right books, addresses to give out, a funded local pool. */
export async function prepareSigner(
  signer: Signer,
  { localRpcUrl }: { localRpcUrl: string | null },
): Promise<void> {
  await bindChain(signer)
  await ensureFreeAddresses(signer)
  if (localRpcUrl === null) return
  await fundLocalPool(signer, localRpcUrl).catch((error: unknown) => {
    if (!(error instanceof ChainUnavailable)) throw error
    throw new StartupError(`CLUSTER=local is for the game's own chain, which has a faucet. ${error.message}`)
  })
}

/**
 * The rounds of a signer that has just come up. What is signed already is sent and settled from the first round;
 * nothing new is signed before the lanes are renewed and the chain's record is held against the books.
 */
export function createSigningRound(signer: Signer): () => Promise<void> {
  const recordStage = createStageRecorder(signer)
  let reconciled = false
  let number = 0
  return async () => {
    if (number === 0) await recordStage('lanes')
    await ensureFreeAddresses(signer)
    await openLanes(signer)
    await openTodaysBudget(signer)
    await settlePayouts(signer)
    if (!reconciled && (await renewLanes(signer))) {
      await recordStage('history')
      reconciled = (await reconcilePayouts(signer)) && (await reconcileSigned(signer))
      if (reconciled) await recordStage('ready')
    }
    await reviewRequests(signer)
    await applyApprovals(signer)
    if (reconciled) {
      await signApproved(signer)
      await replacePayouts(signer)
      if (number % ROUNDS_BETWEEN_RECONCILIATIONS === ROUNDS_BETWEEN_RECONCILIATIONS - 1)
        reconciled = await reconcilePayouts(signer)
    }
    await sendPayouts(signer)
    if (number++ % ROUNDS_BETWEEN_SWEEPS === 0) {
      await recordForgottenSweeps(signer)
      await sweepDeposits(signer)
      await watchTreasury(signer)
      await recordStage(null)
    }
  }
}

async function recordForgottenSweeps(signer: Signer): Promise<void> {
  const { recorded } = await recordMissedSweeps({ ...signer, treasury: signer.treasury.address })
  if (recorded > 0)
    signer.log.warn({ learned: recorded }, 'sweeps were found on the chain that the books had forgotten')
}

/** Keeps for the operator how far the signer has come; null writes the same again, as a sign of life. */
function createStageRecorder({ db, clock, log }: Signer): (next: SignerStage | null) => Promise<void> {
  const startedAt = clock.now()
  let stage: SignerStage = 'lanes'
  let recorded: SignerStage | null = null
  return async (next) => {
    stage = next ?? stage
    if (next !== null && next === recorded) return
    await recordSignerState(db, { stage, startedAt, now: clock.now() })
    if (stage === 'ready' && recorded !== 'ready')
      log.info('the books are held against the chain: new payouts may be signed')
    recorded = stage
  }
}
