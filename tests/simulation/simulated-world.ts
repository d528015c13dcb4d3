import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Address, BlockhashLifetime } from '#server/chain/port.ts'
import { readToken } from '#server/chain/token-accounts.ts'
import type { LandedTransaction } from '#local-chain/store.ts'
import { readTransaction, type DecodedTransaction } from '#server/chain/read-transaction.ts'
import { inflateTransfer } from '#tests/support/inflate-transfer.ts'
import { ChainNode, LIES, type Lie, listFaults } from './chain-node.ts'
import { SafeguardChecker } from './check-safeguards.ts'
import { WorldClock } from './clock.ts'
import { CodeErrors } from './code-errors.ts'
import type { Coverage } from './coverage.ts'
import type { Database } from './database.ts'
import { type FaultProfile, chooseFaultProfile, FORGETS } from './fault-profile.ts'
import type { GenesisAccounts } from './genesis-accounts.ts'
import { accountAt, type Block, BLOCKHASH_LIFE, type ForkingChain } from './forking-chain.ts'
import { InvariantChecker } from './invariants.ts'
import type { Product } from './load-product.ts'
import { OperatorRecord } from './operator-record.ts'
import { createOperators, type Operator } from './operators.ts'
import type { Player } from './players.ts'
import { PortCalls } from './port-calls.ts'
import { startProcess, type SimulatedProcess } from './process.ts'
import { type Random, createRandom } from './random.ts'
import {
  type Api,
  LARGE_DEPOSIT,
  NODE_HOSTS,
  startApi,
  startReserveWatch,
  startSigner,
  startWatcher,
} from './roles.ts'
import type { SimulationEnvironment } from './simulation-environment.ts'

export const START = '2026-03-01T12:00:00.000Z'

/** Runs one process of the game, and a new one after it has died. */
type ProcessSlot = {
  name: string
  role: 'api' | 'watcher' | 'reserve' | 'signer'
  process: SimulatedProcess | null
  api: Api | null
}

/**
 * A simulated world: the processes of the game, players, a forking chain and a real database. Its history is determined
 * by its seed.
 */
export class SimulatedWorld {
  readonly random: Random
  readonly clock = new WorldClock(START)
  readonly calls = new PortCalls()
  readonly invariants: InvariantChecker
  readonly faultProfile: FaultProfile
  readonly nodes: ReadonlyMap<string, ChainNode>
  readonly processSlots: ProcessSlot[]
  readonly players: Player[]
  readonly database: Database
  /** The signer's data folder. */
  readonly folder: string
  readonly chain: ForkingChain
  readonly genesis: GenesisAccounts
  readonly coverage: Coverage
  readonly trace: string[] = []
  /** Withdrawals whose acceptance a player has received. */
  readonly grantedWithdrawals = new Set<string>()
  readonly cancelledWithdrawals = new Set<string>()
  /** Players who have locked their withdrawals, and what was granted to them all the same. */
  readonly lockedWallets = new Set<string>()
  readonly grantedDuringLock = new Set<string>()
  /** The states of all money in flight, for the coverage of faults by state. */
  openStates: string[] = []
  inQuiescence = false
  /** True once a backup was restored. */
  restored = false
  steps = 0
  readonly codeErrors = new CodeErrors()
  readonly #hash = createHash('sha256')
  readonly product: Product
  readonly operatorRecord: OperatorRecord
  readonly operators: Operator[]
  readonly #safeguards: SafeguardChecker
  #lastFinal: Block
  /** Every transaction that the game has sent to a node. */
  readonly #sent: DecodedTransaction[] = []

  constructor(options: {
    seed: number
    environment: SimulationEnvironment
    product: Product
    coverage: Coverage
  }) {
    const { environment, seed } = options
    this.random = createRandom(seed)
    this.product = options.product
    this.coverage = options.coverage
    this.database = environment.database
    this.folder = environment.folder
    this.chain = environment.chain
    this.genesis = environment.genesis
    this.faultProfile = chooseFaultProfile(this.random)
    this.chain.reset(seed)
    this.#lastFinal = this.chain.final
    this.invariants = new InvariantChecker({
      database: environment.database,
      treasuryTokens: environment.treasuryTokens,
      workersSince: new Date(START),
      tokenAccountOf: environment.tokenAccountOf,
    })
    this.operatorRecord = new OperatorRecord(join(this.folder, 'operators.json'), this.genesis.operators)
    this.#safeguards = new SafeguardChecker({
      ...this.faultProfile,
      operators: this.operatorRecord,
      treasuryAt: (slot) => this.#treasuryAt(environment.treasuryTokens, slot),
    })
    const send = (read: DecodedTransaction, fault: string | null): void => this.#receive(read, fault)
    this.nodes = new Map(
      NODE_HOSTS.map((name) => [
        name,
        new ChainNode({
          chain: this.chain,
          genesisHash: environment.genesisHash,
          mint: this.genesis.mint,
          send,
          lieAbout: (landed, lie) => this.#lieAbout(landed, lie),
        }),
      ]),
    )
    this.processSlots = [
      { name: 'api-1', role: 'api' },
      { name: 'watcher-1', role: 'watcher' },
      { name: 'signer', role: 'signer' },
      ...(this.faultProfile.isStrict ? [{ name: 'reserve', role: 'reserve' }] : []),
      ...(this.faultProfile.duplicateProcesses
        ? [
            { name: 'api-2', role: 'api' },
            { name: 'watcher-2', role: 'watcher' },
          ]
        : []),
    ].map((slot) => ({ ...slot, process: null, api: null }) as ProcessSlot)
    this.players = this.genesis.players.map((wallet, at) => ({
      process: startProcess(this, `player-${at + 1}`, 'player'),
      wallet,
      depositOwner: null,
      busy: false,
      keyCount: 0,
    }))
    this.operators = createOperators(this)
  }

  get hash(): string {
    return this.#hash.copy().digest('hex').slice(0, 16)
  }

  record(line: string): void {
    const entry = `${this.steps} ${line}`
    this.#hash.update(`${entry}\n`)
    this.trace.push(entry)
  }

  // Ports ------------------------------------------------------------------------------------------

  askNode(process: SimulatedProcess, { host, body }: { host: string; body: string }): Promise<string> {
    const { method } = JSON.parse(body) as { method: string }
    return this.calls.enqueue(process, {
      port: 'chain',
      name: method,
      faults: listFaults(method).filter((fault) => this.#mayHave(fault, host)),
      perform: async (fault) => {
        if (fault === 'unreachable') throw new TypeError('fetch failed')
        const node = this.nodes.get(host)!
        node.isAhead = this.faultProfile.pooledNodes && node.lag > 0 && this.random.chance(0.5)
        if (node.isAhead) this.countFault('mixed machines')
        const text = await node.answer(body, fault)
        if (fault === 'answer lost') throw new TypeError('fetch failed: other side closed')
        return text
      },
    })
  }

  /** Each lying node has its own lie, and one node forgets: two that forget agree, and two nodes are a quorum. */
  #mayHave(fault: string, host: string): boolean {
    const at = fault === FORGETS ? 0 : LIES.findIndex((lie) => lie === fault)
    const { liars } = this.faultProfile
    return at < 0 || NODE_HOSTS.findIndex((name) => name === host) === liars[at]
  }

  pause(process: SimulatedProcess, name: string): Promise<void> {
    return this.calls.enqueue(process, { port: 'pause', name, perform: () => {} })
  }

  apis(): Api[] {
    return this.processSlots.flatMap((slot) => (slot.api === null ? [] : [slot.api]))
  }

  recordGranted(id: string): void {
    this.grantedWithdrawals.add(id)
  }

  recordCancelled(id: string): void {
    this.cancelledWithdrawals.add(id)
  }

  chainLifetime(): BlockhashLifetime {
    const { hash, height } = this.chain.tip
    return { blockhash: hash, lastValidBlockHeight: height + BLOCKHASH_LIFE }
  }

  /** Sends a transaction past the game's nodes, without faults. */
  sendDirectly(wire: string): void {
    this.chain.inFlight.push({ read: readTransaction(Buffer.from(wire, 'base64')), delay: 0 })
  }

  /** Delivers a transaction again that the game sent at any earlier time. */
  replaySent(): void {
    if (this.#sent.length === 0) return
    this.chain.inFlight.push({ read: this.random.pick(this.#sent), delay: 0 })
    this.countFault('late replay')
    this.record('a sent transaction arrives again')
  }

  /** Puts all sent transactions that have not landed back into flight. */
  resendForgotten(): void {
    for (const read of this.#sent)
      if (this.chain.findLanded(this.chain.tip, read.signature) === null)
        this.chain.inFlight.push({ read, delay: this.random.between(4, 30) })
  }

  /** Inflates a player's deposit; other transactions stay unchanged. */
  #lieAbout(landed: LandedTransaction, lie: Lie): LandedTransaction {
    if (!this.invariants.intents.has(landed.signature)) return landed
    const { mint, treasury } = this.genesis
    const { preTokens, postTokens } = landed.meta
    const by = (lie === 'lie' ? 2n : 3n) * LARGE_DEPOSIT
    const { before, after } = inflateTransfer(
      { before: preTokens, after: postTokens },
      { mint, except: treasury.address, by },
    )
    return { ...landed, meta: { ...landed.meta, preTokens: before, postTokens: after } }
  }

  #receive(read: DecodedTransaction, fault: string | null): void {
    if (!this.#sent.some((each) => each.signature === read.signature)) this.#sent.push(read)
    if (fault === 'send dropped') return
    const delay = fault === 'lands late' ? this.random.between(3, 18) : 0
    this.chain.inFlight.push({ read, delay })
    if (fault === 'send doubled') this.chain.inFlight.push({ read, delay: this.random.between(0, 4) })
  }

  // The chain --------------------------------------------------------------------------------------

  #treasuryAt(account: Address, slot: bigint): bigint | null {
    let block: Block | null = this.chain.final
    while (block !== null && block.slot > slot) block = block.parent
    if (block?.slot !== slot) return null
    const found = accountAt(block, account)
    return (found && readToken(found)?.amount) ?? 0n
  }

  addBlock(): void {
    const { chain } = this
    const [ready, delayed] = [
      chain.inFlight.filter((each) => each.delay <= 0),
      chain.inFlight.filter((each) => each.delay > 0),
    ]
    for (const each of delayed) each.delay--
    const candidates = this.random.shuffled(ready).filter(() => this.inQuiescence || this.random.chance(0.85))
    chain.inFlight = [...delayed, ...ready.filter((each) => !candidates.includes(each))]
    const landed = chain.addBlock(candidates, this.clock.now())
    this.record(
      `block ${chain.tip.slot} with ${landed.map((each) => `${each.signature.slice(0, 8)}${each.error ? ' (failed)' : ''}`).join(' ') || 'nothing'}`,
    )
    const final: Block[] = []
    for (let block = chain.final; block !== this.#lastFinal; block = block.parent!) final.unshift(block)
    this.#lastFinal = chain.final
    for (const block of final) this.invariants.onFinalBlock(block)
  }

  fork(): void {
    const { chain, random } = this
    if (chain.reversibleBlocks === 0) return
    const depth = random.between(1, Math.min(3, chain.reversibleBlocks))
    const left = chain.tip
    const reverted = chain.revert(depth)
    for (const { wire } of reverted)
      if (random.chance(0.6))
        chain.inFlight.push({ read: readTransaction(wire), delay: random.between(0, 6) })
    for (const node of this.nodes.values())
      if (node.stuckAt === null && random.chance(0.25)) node.stuckAt = left
    this.countFault('fork')
    this.record(`fork: ${depth} blocks with ${reverted.length} transactions given up`)
  }

  // Processes --------------------------------------------------------------------------------------

  start(slot: ProcessSlot): void {
    const process = startProcess(this, slot.name, slot.role)
    slot.process = process
    slot.api = null
    this.record(`${slot.name} starts`)
    this.coverage.count(`start: ${slot.role}`)
    this.#startRole(slot, process).catch((error: unknown) => {
      if (!process.alive) return
      this.codeErrors.note(error)
      this.record(`${slot.name} could not start: ${(error as Error).message}`)
      void this.crash(slot)
    })
  }

  async #startRole(slot: ProcessSlot, process: SimulatedProcess): Promise<void> {
    if (slot.role === 'watcher') await startWatcher(this.product, process)
    else if (slot.role === 'reserve') await startReserveWatch(this.product, process)
    else if (slot.role === 'signer') await startSigner(this.product, process)
    else {
      const api = await startApi(this.product, process)
      if (process.alive) slot.api = api
    }
    this.coverage.count(`up: ${slot.role}`)
  }

  async crash(slot: ProcessSlot): Promise<void> {
    const { process } = slot
    if (process === null) return
    slot.process = null
    slot.api = null
    process.die()
    this.calls.removeCallsOf(process)
    for (const connection of process.connections) await connection.disconnect()
  }

  // Counting ---------------------------------------------------------------------------------------

  /** Counts a fault by its kind, and by the states of money in flight. */
  countFault(fault: string): void {
    this.coverage.count(`fault: ${fault}`)
    for (const state of this.openStates) this.coverage.count(`met: ${fault} while ${state}`)
  }

  /** A restored database is another history. */
  forgetHistory(): void {
    this.restored = true
    this.database.changed = true
    this.#safeguards.forget()
  }

  async checkInvariants(): Promise<void> {
    this.database.changed = false
    await this.invariants.check({
      latest: new Date(this.clock.latestMs),
      finalHeight: this.chain.final.height,
    })
    const { ledger } = this.invariants
    this.#safeguards.check(ledger, this.clock.sinceBegin)
    const states = [
      ...this.invariants.openWithdrawals.map((each) => `withdrawal ${each.state}`),
      ...ledger.receipts.filter((each) => each.state === 'pending').map(() => 'deposit pending'),
      ...ledger.sweeps.filter((each) => each.state === 'signed').map(() => 'sweep signed'),
      ...(this.hasDepositInFlight() ? ['deposit on the chain'] : []),
      ...(ledger.frozen.length > 0 ? ['wallet frozen'] : []),
      ...(ledger.paused ? ['withdrawals paused'] : []),
      ...(ledger.reserve?.confirmed ? ['tokens missing'] : []),
    ]
    this.openStates = [...new Set(states)]
  }

  hasDepositInFlight(): boolean {
    const credited = new Set(this.invariants.ledger.credits.map((each) => each.signature))
    for (let block: Block | null = this.chain.tip; block !== null; block = block.parent)
      for (const { signature, error } of block.landed)
        if (
          error === null &&
          (this.invariants.intents.get(signature)?.amount ?? 0n) > 0n &&
          !credited.has(signature)
        )
          return true
    return false
  }
}
