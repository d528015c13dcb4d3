import { join } from 'node:path'
import { type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { connectBoundChain, readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import { watchOperators } from '#server/operators/read-operators.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { openDb } from '#server/platform/db/db.ts'
import { hasPassed } from '#server/platform/has-passed.ts'
import type { Log } from '#server/platform/log.ts'
import type { RoleTerm } from '#server/platform/role-term.ts'
import { type RunningRounds, startRounds } from '#server/platform/run-rounds.ts'
import { siteOf } from '#server/platform/site.ts'
import { OutageStartupError, StartupError } from '#server/platform/startup-error.ts'
import { executeActs } from './acts/execute-acts.ts'
import { applyApprovals } from './review/approvals.ts'
import { followFreezes } from './review/follow-freezes.ts'
import { bindChain } from './keys/bind-chain.ts'
import { ensureFreeAddresses } from './keys/ensure-free-addresses.ts'
import { trackFailedWithdrawals } from './failed-withdrawals.ts'
import { fundLocalPool } from './fund-local-pool.ts'
import { reviewRequests } from './review/review-requests.ts'
import { recordMissedSweeps } from './sweeps/record-missed-sweeps.ts'
import { openKeyRing } from './keys/key-ring.ts'
import { findLanes, openLanes } from './nonces/open-lanes.ts'
import { reconcilePayouts, reconcileSigned } from './payouts/reconcile-payouts.ts'
import { renewLanes } from './nonces/renew-lanes.ts'
import { refundCancelled } from './payouts/refund-cancelled.ts'
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

/** Sweeps and the check of the treasury's balance are not urgent, unless more deposits wait than one round sweeps. */
const ROUNDS_BETWEEN_SWEEPS = 10

/** How long a round creates deposit addresses. Over a plan of ten calls a second that is fifteen. */
const NEW_ADDRESSES_MS = 3_000

/** The signer is silent after two minutes. Counted in rounds it would be while rounds are slow, or fail and start later. */
const HEARTBEAT_MS = 30_000

/** The treasury's history is reconciled with the ledger again after this many rounds. */
const ROUNDS_BETWEEN_RECONCILIATIONS = 100

/**
 * The role `signer`: creates deposit addresses, sweeps deposits, and reviews and pays withdrawals. It is the only role
 * that reads the seed. It listens on no port and reads its work from the database. Each of its writes checks the `term`; it is
 * null only where no other signer can take over.
 */
export async function startSigner(
  config: Config,
  log: Log,
  { env, term }: { env: NodeJS.ProcessEnv; term: RoleTerm | null },
): Promise<RunningRounds> {
  const boundTreasury = await readBoundTreasury(config)
  const keys = await openKeyRing({ ...config, env, boundTreasury })
  const pool = { url: config.databaseUrl, max: 4, applicationName: 'signer', log, term }
  return startRounds(pool, async (db) => {
    const bound = await connectBoundChain(config, db)
    const chain = term ? fenceChain(bound, term) : bound
    const { withdrawals: settings, dataDir, coldWallets } = config
    const signed = openSignedPayoutLog(join(dataDir, 'signed', 'payouts.log'))
    const site = siteOf(config, chain.facts.cluster)
    const operators = watchOperators(config.operatorsFile, log)
    const options = { settings, signed, operators, coldWallets }
    const signer = await openSigner({ db, chain, clock: systemClock, log, keys, site, ...options })
    const isLocal = chain.facts.cluster === 'local'
    await prepareSigner(signer, { localRpcUrl: isLocal ? config.solanaRpcUrls[0]! : null })
    log.info({ treasury: signer.treasury.address }, 'the signer has started')
    const round = createSigningRound(signer, async () => term?.renew())
    return { round, intervalMs: config.localChain ? LOCAL_PACE_MS : PACE_MS }
  })
}

/**
 * Sends nothing once another signer has taken over. What a signer sends was built before this check, so an advance of a
 * nonce that is late uses a nonce that the new signer has used up before it signs. The renewal comes after the commit of what
 * is sent: if the database loses a payout that may land, it loses the renewal, too, and this signer signs no other.
 */
export function fenceChain(chain: Chain, term: RoleTerm): Chain {
  return {
    ...chain,
    send: async (wire, options) => {
      await term.renew()
      return chain.send(wire, options)
    },
  }
}

async function readBoundTreasury({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<string | null> {
  const db = openDb(databaseUrl, { max: 1, applicationName: 'signer-check' })
  try {
    return (await readBoundChain(db))?.treasury ?? null
  } finally {
    await db.end()
  }
}

/** Runs before the first round: binds the database to the chain, creates deposit addresses, funds a local pool. */
export async function prepareSigner(
  signer: Signer,
  { localRpcUrl }: { localRpcUrl: string | null },
): Promise<void> {
  const { db, chain, clock, log, keys, treasuryTokens } = signer
  const treasury = { address: signer.treasury.address }
  await bindChain({ db, chain, clock, treasury })
  const creating = { db, chain, clock, log, keys: { depositAddress: keys.depositAddress } }
  // The first ones. Each round creates more, and what waits for the start need not wait for these.
  await ensureFreeAddresses(creating, { limitMs: 0 }).catch((error: unknown) => {
    if (!(error instanceof ChainUnavailable)) throw error
    // The chain is stored. Its nodes answered the check, and have failed since, or show no histories.
    throw new OutageStartupError(`SOLANA_RPC_URL does not answer: ${error.message}.`)
  })
  if (localRpcUrl === null) return
  await fundLocalPool({ db, chain, clock, treasury, treasuryTokens }, localRpcUrl).catch((error: unknown) => {
    if (!(error instanceof ChainUnavailable)) throw error
    throw new StartupError(
      `CLUSTER=local requires the game's own chain, which has a faucet. ${error.message}`,
    )
  })
}

/**
 * Creates the round of a signer that has just started. Payouts that are already signed are sent and settled from the
 * first round. New payouts are signed once the lanes are renewed and the treasury's history is reconciled. A withdrawal that
 * fails does not stop the others; the round fails at its end, so that the operator is alerted. `renewTerm` comes after what
 * was settled from the history: if the database loses that, it loses the renewal, too, and this signer signs nothing.
 */
export function createSigningRound(
  signer: Signer,
  renewTerm: () => Promise<void> = async () => {},
): () => Promise<void> {
  const steps = composeSteps(signer)
  const recordStage = createStageRecorder(signer)
  let foundLanes = false
  let reconciled = false
  let moreToSweep = false
  let number = 0
  return async () => {
    const failed = trackFailedWithdrawals(signer)
    if (number === 0) await recordStage('lanes')
    await steps.prepare()
    await failed.collect(steps.settle())
    foundLanes ||= await steps.findLanes()
    if (!reconciled && foundLanes && (await steps.renewLanes())) {
      await recordStage('history')
      if ((await steps.reconcile()) && (await steps.reconcileSigned())) {
        await renewTerm()
        reconciled = true
        await recordStage('ready')
      }
    }
    await steps.executeActs(reconciled)
    await failed.collect(steps.review())
    await failed.collect(steps.applyApprovals())
    await failed.collect(steps.followFreezes())
    if (reconciled) {
      await failed.collect(steps.refundCancelled())
      await failed.collect(steps.sign())
      await failed.collect(steps.replace())
      if (number % ROUNDS_BETWEEN_RECONCILIATIONS === ROUNDS_BETWEEN_RECONCILIATIONS - 1)
        // Once the history was read, payouts go on while only one node shows it.
        reconciled = (await steps.reconcile()) ?? true
    }
    await failed.collect(steps.send())
    if (number++ % ROUNDS_BETWEEN_SWEEPS === 0 || moreToSweep) {
      // If sweeping fails, the next rounds do not sweep: rounds that fail start later each time, and payouts wait for them.
      moreToSweep = false
      moreToSweep = await steps.sweep()
    }
    await recordStage(null)
    failed.end()
  }
}

/**
 * Gives each step only what it uses: a function that derives keys, or the treasury's key, only if the step needs it.
 */
function composeSteps(signer: Signer) {
  const { db, chain, clock, log, settings, site, signed, lanes, sweepCursor, treasuryTokens } = signer
  const { operators, coldWallets, approvalCursor, startSlot, takeBackPause } = signer
  const { depositAddress, depositKey, laneKey, seal } = signer.keys
  const treasuryKey = signer.treasury
  const treasury = { address: treasuryKey.address }
  const reading = { db, chain, clock, log, treasury, treasuryTokens }
  const acting = { db, clock, log, site, treasury, operators }
  const pricing = { chain, treasuryTokens, settings }
  const signing = { ...reading, site, operators, seal, settings, signed, treasury: treasuryKey }
  return {
    async prepare() {
      const creating = { db, chain, clock, log, keys: { depositAddress } }
      await ensureFreeAddresses(creating, { limitMs: NEW_ADDRESSES_MS }).catch((error: unknown) => {
        if (!(error instanceof ChainUnavailable)) throw error
        log.warn({ reason: error.message }, 'no deposit address is free, and none can be created')
      })
      await openLanes({ db, chain, keys: { laneKey }, treasury: treasuryKey, settings })
      await openTodaysBudget({ db, clock })
    },
    settle: () => settlePayouts({ ...reading, lanes, signed }),
    findLanes: () => findLanes({ db, chain, keys: { laneKey }, startSlot }),
    renewLanes: () => renewLanes({ db, clock, ...pricing, lanes, startSlot, treasury: treasuryKey }),
    reconcile: () => reconcilePayouts({ ...reading, lanes }),
    reconcileSigned: () => reconcileSigned({ ...reading, signed }),
    executeActs: (isReconciled: boolean) =>
      executeActs({ ...acting, chain, coldWallets, takeBackPause, reconciled: isReconciled }),
    review: () => reviewRequests({ db, chain, clock, log, settings, site, seal }),
    applyApprovals: () => applyApprovals({ ...acting, approvalCursor }),
    followFreezes: () => followFreezes({ db, log }),
    refundCancelled: () => refundCancelled({ db, clock, log }),
    sign: () => signApproved({ ...signing, lanes }),
    replace: () => replacePayouts(signing),
    send: () => sendPayouts({ db, chain, log }),
    async sweep() {
      await recordMissedSweeps({ ...reading, treasury: treasury.address })
      const sweeping = { db, clock, ...pricing, keys: { depositKey }, sweepCursor }
      const moreToSweep = await sweepDeposits({ ...sweeping, treasury: treasuryKey })
      await watchTreasury({ ...reading, settings })
      return moreToSweep
    },
  }
}

/** Records how far the signer has come, for the operator. null records the current stage again if a heartbeat is due. */
function createStageRecorder({
  db,
  clock,
  log,
  site,
}: Pick<Signer, 'db' | 'clock' | 'log' | 'site'>): (next: SignerStage | null) => Promise<void> {
  const startedAt = clock.now()
  let stage: SignerStage = 'lanes'
  let recorded: SignerStage | null = null
  let recordedAt = startedAt
  return async (next) => {
    const now = clock.now()
    stage = next ?? stage
    if (stage === recorded && (next !== null || !hasPassed(HEARTBEAT_MS, { from: recordedAt, now }))) return
    await recordSignerState(db, { stage, startedAt, origin: site.uri, now })
    if (stage === 'ready' && recorded !== 'ready')
      log.info('the ledger is reconciled with the chain: new payouts may be signed')
    recorded = stage
    recordedAt = now
  }
}
