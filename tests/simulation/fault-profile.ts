import { LIES } from './chain-node.ts'
import type { Role } from './process.ts'
import type { Random } from './random.ts'

/** How likely each fault is in one world. No world has all of them. */
export type FaultProfile = {
  /** How many steps the fault phase lasts. */
  steps: number
  /** The probability that a call over a port has a fault, by port. */
  database: number
  chain: number
  /** The probability that a process dies at one of its calls, by role. */
  crash: Record<Role, number>
  /** The kinds of faults that occur in this world. */
  faultKinds: ReadonlySet<string>
  forks: number
  nodes: number
  jumps: number
  drains: number
  /** The probability that a lying node lies about a deposit, a status or its block height. */
  lieProbability: number
  /** Which nodes lie, by their place. The second of two tells other lies than the first, which may forget instead. */
  liars: readonly number[]
  /** Each node is a pool of several machines, and some of them are far behind. */
  pooledNodes: boolean
  /** Whether all processes are ready when the fault phase begins. */
  warmStart: boolean
  /** Most responses to sent transactions are lost. */
  losesSendAnswers: boolean
  /** Most sent transactions land late, and some after their blockhash has expired. */
  landsLate: boolean
  replays: number
  restores: boolean
  /** Two api processes and two watchers, instead of one of each. */
  duplicateProcesses: boolean
  /** Tokens have a value: policy and operators decide about withdrawals, and payouts need a recent reserve snapshot. */
  isStrict: boolean
  /** The tokens in cold storage count as the game's. Otherwise a drained treasury is a shortage. */
  knowsColdStorage: boolean
  /** All accounts of deposit addresses are searched for tokens of other kinds. */
  watchesForeignAccounts: boolean
  operators: number
  forgeries: number
  operatorChanges: number
  /**
   * The signer works more than everybody else until it has signed something. Then it stands still, so that everything else
   * can happen before it sends.
   */
  signsEarly: boolean
}

/** A node says of every transaction that it does not know it. */
export const FORGETS = 'null statuses'

/** The faults of calls over a port. */
const CALL_FAULTS = [
  'refused',
  'broken',
  'answer lost',
  'conflict',
  'commit lost',
  'commit done, answer lost',
  'unreachable',
  'unhealthy',
  'send dropped',
  'send doubled',
  'lands late',
  FORGETS,
  'short page',
  ...LIES,
]

/** All faults: those of calls, and those of the surroundings. */
export const FAULTS = [
  ...CALL_FAULTS,
  'crash',
  'fork',
  'node behind',
  'mixed machines',
  'clock forward',
  'clock back',
  'treasury drained',
  'late replay',
  'backup restored',
  'freeze',
  'withdrawals paused',
  'operators changed',
  'forged act',
]

/**
 * Chooses the kinds of faults of calls. A node that has forgotten a transaction and one that denies it agree, and two nodes
 * are a quorum, so the game does not promise to withstand both: in each world nodes either forget or lie.
 */
function chooseKinds(random: Random, lieProbability: number): ReadonlySet<string> {
  const mayForget = lieProbability === 0
  const kinds = CALL_FAULTS.filter((kind) => (mayForget || kind !== FORGETS) && random.chance(0.7))
  return new Set(kinds.includes(FORGETS) ? kinds.filter((kind) => !LIES.some((lie) => lie === kind)) : kinds)
}

/** The fault profile of a world, chosen by its own random numbers. */
export function chooseFaultProfile(random: Random): FaultProfile {
  const upTo = (max: number): number => (random.chance(0.75) ? random.fraction() * max : 0)
  const crash = upTo(0.015)
  const isStrict = random.chance(0.6)
  const lieProbability = random.weighted([
    { weight: 6, value: 0 },
    { weight: 2, value: 0.5 },
    { weight: 2, value: 0.95 },
  ])
  const signsEarly = random.chance(0.4)
  return {
    steps: random.chance(0.15) ? 2_400 : isStrict ? 1_600 : 1_100,
    database: upTo(0.04),
    chain: random.chance(0.2) ? 0.3 : upTo(0.1),
    crash: {
      api: crash,
      watcher: crash,
      reserve: crash,
      player: crash,
      operator: crash,
      // A signer that starts signs nothing for hundreds of steps, until blocks are final.
      signer: signsEarly ? crash / 20 : random.chance(0.25) ? 0.01 : crash / 2,
    },
    faultKinds: chooseKinds(random, lieProbability),
    forks: upTo(3),
    nodes: upTo(4),
    jumps: upTo(1.5),
    // Strict worlds need several snapshots to see that the treasury is drained, so it must happen early.
    drains: random.chance(isStrict ? 0.5 : 0.3) ? (isStrict ? 1 : 0.5) : 0,
    lieProbability,
    liars: random.pick([[0], [0], [1], [0, 1], [1, 0], [1, 2]]),
    pooledNodes: random.chance(0.4),
    warmStart: signsEarly || random.chance(0.6),
    losesSendAnswers: random.chance(0.3),
    landsLate: random.chance(0.3),
    replays: upTo(1),
    restores: random.chance(0.3),
    duplicateProcesses: random.chance(0.5),
    isStrict,
    knowsColdStorage: random.chance(0.5),
    watchesForeignAccounts: random.chance(0.5),
    operators: isStrict ? 0.5 + random.fraction() * 1.5 : upTo(0.7),
    forgeries: isStrict ? upTo(4) : 0,
    operatorChanges: isStrict && random.chance(0.5) ? 0.5 : 0,
    signsEarly,
  }
}
