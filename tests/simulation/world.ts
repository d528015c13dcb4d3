import { createHash } from 'node:crypto'
import type { BlockhashLifetime } from '#server/chain/port.ts'
import type { Landed } from '#local-chain/store.ts'
import { readTransaction, type ReadTransaction } from '#server/chain/read-transaction.ts'
import { ChainNode, faultsOf } from './chain-node.ts'
import { WorldClock } from './clock.ts'
import type { Coverage } from './coverage.ts'
import type { Database } from './database.ts'
import { type Weather, weatherOf } from './faults.ts'
import type { FirstAccounts } from './first-accounts.ts'
import { type Block, BLOCKHASH_LIFE, type ForkingChain } from './forking-chain.ts'
import { Laws } from './laws.ts'
import type { Product } from './load-product.ts'
import type { Player } from './players.ts'
import { PortCalls } from './port-calls.ts'
import { startProcess, type SimulatedProcess } from './process.ts'
import { type Random, randomOf } from './random.ts'
import { type Api, LARGE, NODES, startApi, startSigner, startWatcher } from './roles.ts'
import type { Ground } from './ground.ts'

/** The one node that may lie: that two of them tell the same lie is not what two nodes protect from. */
const LIAR = NODES[0]

export const START = '2026-03-01T12:00:00.000Z'

/** A place where one process of the game runs, and is started again when it died. */
type Slot = {
  name: string
  role: 'api' | 'watcher' | 'signer'
  process: SimulatedProcess | null
  api: Api | null
}

/**
 * One simulated world: the processes of the game, players, a chain of forks and a real database, in one history that
 * follows from its seed.
 */
export class World {
  readonly random: Random
  readonly clock = new WorldClock(START)
  readonly calls = new PortCalls()
  readonly laws: Laws
  readonly weather: Weather
  readonly nodes: ReadonlyMap<string, ChainNode>
  readonly slots: Slot[]
  readonly players: Player[]
  readonly database: Database
  /** The signer's own folder. */
  readonly folder: string
  readonly chain: ForkingChain
  readonly first: FirstAccounts
  readonly coverage: Coverage
  readonly trace: string[] = []
  /** Withdrawals that a player was told of. */
  readonly told = new Set<string>()
  /** What is on its way right now, by its state: what a fault meets. */
  underWay: string[] = []
  calm = false
  /** True when the books once went back to a backup. */
  restored = false
  steps = 0
  readonly #hash = createHash('sha256')
  readonly #product: Product
  #lastFinal: Block
  /** Every transaction that the game has handed to a node. */
  readonly #sent: ReadTransaction[] = []

  constructor(of: { seed: number; ground: Ground; product: Product; coverage: Coverage }) {
    const { ground, seed } = of
    this.random = randomOf(seed)
    this.#product = of.product
    this.coverage = of.coverage
    this.database = ground.database
    this.folder = ground.folder
    this.chain = ground.chain
    this.first = ground.first
    this.weather = weatherOf(this.random)
    this.chain.reset(seed)
    this.#lastFinal = this.chain.final
    this.laws = new Laws({
      database: ground.database,
      treasuryTokens: ground.treasuryTokens,
      workersSince: new Date(START),
      tokensOf: ground.tokensOf,
    })
    const send = (read: ReadTransaction, fault: string | null): void => this.#receive(read, fault)
    this.nodes = new Map(
      NODES.map((name) => [
        name,
        new ChainNode({
          chain: this.chain,
          genesisHash: ground.genesisHash,
          mint: this.first.mint,
          send,
          lieAbout: (landed) => this.#lieAbout(landed),
        }),
      ]),
    )
    this.slots = [
      { name: 'api-1', role: 'api' },
      { name: 'watcher-1', role: 'watcher' },
      { name: 'signer', role: 'signer' },
      ...(this.weather.twoOfAll
        ? [
            { name: 'api-2', role: 'api' },
            { name: 'watcher-2', role: 'watcher' },
          ]
        : []),
    ].map((slot) => ({ ...slot, process: null, api: null }) as Slot)
    this.players = this.first.players.map((wallet, at) => ({
      process: startProcess(this, `player-${at + 1}`, 'player'),
      wallet,
      depositOwner: null,
      busy: false,
      asked: 0,
    }))
  }

  get hash(): string {
    return this.#hash.copy().digest('hex').slice(0, 16)
  }

  tell(line: string): void {
    const told = `${this.steps} ${line}`
    this.#hash.update(`${told}\n`)
    this.trace.push(told)
  }

  // Ports ------------------------------------------------------------------------------------------

  askNode(process: SimulatedProcess, { host, body }: { host: string; body: string }): Promise<string> {
    const { method } = JSON.parse(body) as { method: string }
    return this.calls.ask(process, {
      port: 'chain',
      name: method,
      faults: faultsOf(method).filter((fault) => fault !== 'lie' || host === LIAR),
      perform: async (fault) => {
        if (fault === 'unreachable') throw new TypeError('fetch failed')
        const node = this.nodes.get(host)!
        node.isAhead = this.weather.pooled && node.lag > 0 && this.random.chance(0.5)
        if (node.isAhead) this.met('newer and older by turns')
        const text = await node.answer(body, fault)
        if (fault === 'answer lost') throw new TypeError('fetch failed: other side closed')
        return text
      },
    })
  }

  pause(process: SimulatedProcess, name: string): Promise<void> {
    return this.calls.ask(process, { port: 'pause', name, perform: () => {} })
  }

  apis(): Api[] {
    return this.slots.flatMap((slot) => (slot.api === null ? [] : [slot.api]))
  }

  granted(id: string): void {
    this.told.add(id)
  }

  chainLifetime(): BlockhashLifetime {
    const { hash, height } = this.chain.tip
    return { blockhash: hash, lastValidBlockHeight: height + BLOCKHASH_LIFE }
  }

  /** Over a way to the chain that is not the game's: it arrives. */
  sendOutside(wire: string): void {
    this.chain.travelling.push({ read: readTransaction(Buffer.from(wire, 'base64')), delay: 0 })
  }

  /** Bytes that the game has sent once arrive again, however much later. */
  echo(): void {
    if (this.#sent.length === 0) return
    this.chain.travelling.push({ read: this.random.one(this.#sent), delay: 0 })
    this.met('late echo')
    this.tell('what was sent once arrives again')
  }

  /** What was sent and has not landed is still somewhere in the network. */
  forgottenComesLate(): void {
    for (const read of this.#sent)
      if (this.chain.landedIn(this.chain.tip, read.signature) === null)
        this.chain.travelling.push({ read, delay: this.random.between(4, 30) })
  }

  /** A deposit of a player shown as a large one; of anything else the truth is told. */
  #lieAbout(landed: Landed): Landed {
    if (!this.laws.intents.has(landed.signature)) return landed
    const { mint, treasury } = this.first
    const postTokens = landed.meta.postTokens.map((row) => {
      if (row.mint !== mint || row.owner === treasury.address) return row
      const amount = (BigInt(row.uiTokenAmount.amount) + 2n * LARGE).toString()
      return { ...row, uiTokenAmount: { ...row.uiTokenAmount, amount } }
    })
    return { ...landed, meta: { ...landed.meta, postTokens } }
  }

  #receive(read: ReadTransaction, fault: string | null): void {
    if (!this.#sent.some((each) => each.signature === read.signature)) this.#sent.push(read)
    if (fault === 'send dropped') return
    const delay = fault === 'lands late' ? this.random.between(3, 18) : 0
    this.chain.travelling.push({ read, delay })
    if (fault === 'send doubled') this.chain.travelling.push({ read, delay: this.random.between(0, 4) })
  }

  // The chain --------------------------------------------------------------------------------------

  grow(): void {
    const { chain } = this
    const [ready, later] = [
      chain.travelling.filter((each) => each.delay <= 0),
      chain.travelling.filter((each) => each.delay > 0),
    ]
    for (const each of later) each.delay--
    const wanted = this.random.shuffled(ready).filter(() => this.calm || this.random.chance(0.85))
    chain.travelling = [...later, ...ready.filter((each) => !wanted.includes(each))]
    const landed = chain.grow(wanted, this.clock.now())
    this.tell(
      `block ${chain.tip.slot} with ${landed.map((each) => `${each.signature.slice(0, 8)}${each.error ? ' (failed)' : ''}`).join(' ') || 'nothing'}`,
    )
    const final: Block[] = []
    for (let block = chain.final; block !== this.#lastFinal; block = block.parent!) final.unshift(block)
    this.#lastFinal = chain.final
    for (const block of final) this.laws.becameFinal(block)
  }

  fork(): void {
    const { chain, random } = this
    if (chain.givable === 0) return
    const depth = random.between(1, Math.min(3, chain.givable))
    const left = chain.tip
    const given = chain.giveUp(depth)
    for (const { wire } of given)
      if (random.chance(0.6))
        chain.travelling.push({ read: readTransaction(wire), delay: random.between(0, 6) })
    for (const node of this.nodes.values())
      if (node.stuckAt === null && random.chance(0.25)) node.stuckAt = left
    this.met('fork')
    this.tell(`fork: ${depth} blocks with ${given.length} transactions given up`)
  }

  // Processes --------------------------------------------------------------------------------------

  start(slot: Slot): void {
    const process = startProcess(this, slot.name, slot.role)
    slot.process = process
    slot.api = null
    this.tell(`${slot.name} starts`)
    this.coverage.count(`start: ${slot.role}`)
    this.#starting(slot, process).catch((error: unknown) => {
      if (!process.alive) return
      this.tell(`${slot.name} could not start: ${(error as Error).message}`)
      void this.crash(slot)
    })
  }

  async #starting(slot: Slot, process: SimulatedProcess): Promise<void> {
    if (slot.role === 'watcher') await startWatcher(this.#product, process)
    else if (slot.role === 'signer') await startSigner(this.#product, process)
    else {
      const api = await startApi(this.#product, process)
      if (process.alive) slot.api = api
    }
    this.coverage.count(`up: ${slot.role}`)
  }

  async crash(slot: Slot): Promise<void> {
    const { process } = slot
    if (process === null) return
    slot.process = null
    slot.api = null
    process.die()
    this.calls.forget(process)
    for (const connection of process.connections) await connection.cut()
  }

  // Counting ---------------------------------------------------------------------------------------

  /** Counts a fault by its kind, and by what was under way. */
  met(fault: string): void {
    this.coverage.count(`fault: ${fault}`)
    for (const state of this.underWay) this.coverage.count(`met: ${fault} while ${state}`)
  }

  async look(): Promise<void> {
    this.database.changed = false
    await this.laws.look({ newest: new Date(this.clock.newest), finalHeight: this.chain.final.height })
    const { books } = this.laws
    const states = [
      ...this.laws.open.map((each) => `withdrawal ${each.state}`),
      ...books.receipts.filter((each) => each.state === 'pending').map(() => 'deposit pending'),
      ...books.sweeps.filter((each) => each.state === 'signed').map(() => 'sweep signed'),
      ...(this.depositOnItsWay() ? ['deposit on the chain'] : []),
    ]
    this.underWay = [...new Set(states)]
  }

  depositOnItsWay(): boolean {
    const credited = new Set(this.laws.books.credits.map((each) => each.signature))
    for (let block: Block | null = this.chain.tip; block !== null; block = block.parent)
      for (const { signature, error } of block.landed)
        if (
          error === null &&
          (this.laws.intents.get(signature)?.amount ?? 0n) > 0n &&
          !credited.has(signature)
        )
          return true
    return false
  }
}
