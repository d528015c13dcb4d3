import { cotton } from '#game/cotton.ts'
import type { Route } from '#contract/route.ts'
import type { Config } from '#server/platform/config.ts'
import type { Clock } from '#server/platform/clock.ts'
import { readWithdrawalSettings } from '#server/platform/withdrawal-settings.ts'
import type { Log } from '#server/platform/log.ts'
import type { Serve } from '#server/platform/http/serve.ts'
import { SIGNER_SEED } from './genesis-accounts.ts'
import type { Product } from './load-product.ts'
import { processContext, type SimulatedProcess } from './process.ts'
import type { SimulatedWorld } from './simulated-world.ts'

export const SITE = {
  product: 'Cotton Farm',
  host: 'farm.test',
  uri: 'http://farm.test',
  chainId: 'solana:localnet',
}

/** Deposits of this amount or more need two nodes that agree. */
export const LARGE_DEPOSIT = cotton(50)

/** On a chain where tokens have a value, withdrawals above this amount need an operator, and above the other one two. */
export const REVIEW_ABOVE = cotton(100)
export const SECOND_ABOVE = cotton(200)

export const NODE_HOSTS = ['node-a', 'node-b', 'node-c'] as const

/** A running api process, with the calls that its routes bind. */
export type Api = {
  process: SimulatedProcess
  /** Calls a route as a player. Rejects with the refusal, or with `Died`. */
  call<Reply>(
    route: string,
    player: string,
    request: { body?: object; query?: object; key?: string },
  ): Promise<Reply>
}

type Handler = (served: object) => Promise<unknown>

/**
 * Starts the product's watcher of deposits. Unsupported tokens are searched in some worlds only, because their scans are
 * many calls.
 */
export function startWatcher(product: Product, process: SimulatedProcess): Promise<unknown> {
  const { world, name } = process
  const [config, log] = [createConfig(world, 'watcher'), createTraceLog(process)]
  return processContext.run(process, async () => {
    await product.startWatcher(config, log)
    const searches = world.faultProfile.watchesForeignAccounts && name === 'watcher-1'
    if (searches) await product.startForeignWatch(config, log)
  })
}

/**
 * Starts the part of the product's watcher that takes reserve snapshots. Here it is a process of its own, because among the
 * many calls of the watcher its calls would be picked too rarely. There is one, as one watcher works in the game.
 */
export function startReserveWatch(product: Product, process: SimulatedProcess): Promise<unknown> {
  return processContext.run(process, () =>
    product.startSolvencyWatch(createConfig(process.world, 'watcher'), createTraceLog(process)),
  )
}

/** Starts the product's complete signer. */
export function startSigner(product: Product, process: SimulatedProcess): Promise<unknown> {
  const env = { SIGNER_SEED: Buffer.from(SIGNER_SEED).toString('hex') }
  return processContext.run(process, () =>
    product.startSigner(createConfig(process.world, 'signer'), createTraceLog(process), { env, term: null }),
  )
}

/** Starts the routes that move money, without HTTP. */
export function startApi(product: Product, process: SimulatedProcess): Promise<Api> {
  const { world } = process
  const clock: Clock = { now: () => world.clock.now() }
  return processContext.run(process, async () => {
    const config = createConfig(world, 'api')
    const db = product.openDb(config.databaseUrl, { max: 10, applicationName: 'api' })
    const chain = await product.connectOwnChain(config, db)
    const handlers = new Map<string, Handler>()
    const serve = ((route: Route, handler: Handler) => {
      handlers.set(`${route.method} ${route.path}`, handler)
    }) as unknown as Serve
    product.depositRoutes(serve, { db, clock, chain, localRpcUrl: null, largeFrom: LARGE_DEPOSIT })
    product.withdrawalRoutes(serve, { db, clock, site: SITE, log: createTraceLog(process) })
    const claim = product.submitInBatches({ db, clock }, product.claim)
    const claimAll = product.submitInBatches({ db, clock }, product.claimAll)
    handlers.set('POST /api/workers/claim', (served) => claim(readClaimRequest(served)))
    handlers.set('POST /api/workers/claim-all', (served) =>
      claimAll({ ...readClaimRequest(served), workerType: null }),
    )
    return {
      process,
      call: <Reply>(
        route: string,
        wallet: string,
        { body, query, key }: { body?: object; query?: object; key?: string },
      ) => {
        const bodyHash = Buffer.from(JSON.stringify(body ?? {}))
        const served = {
          player: { wallet },
          body,
          query,
          key: key === undefined ? null : { route, key, bodyHash },
          client: () => ({ address: '203.0.113.7', userAgent: '' }),
        }
        const answer = processContext.run(process, () => handlers.get(route)!(served))
        return Promise.race([answer, process.death]) as Promise<Reply>
      },
    }
  })
}

function readClaimRequest(served: object): { wallet: string; workerId: string; key: never } {
  const { player, body, key } = served as {
    player: { wallet: string }
    body: { workerId: string }
    key: never
  }
  return { wallet: player.wallet, workerId: body?.workerId, key }
}

function createConfig(world: SimulatedWorld, role: 'api' | 'watcher' | 'signer'): Config {
  const { isStrict, knowsColdStorage } = world.faultProfile
  return {
    databaseUrl: world.database.urlFor(role),
    solanaRpcUrls: NODE_HOSTS.map((node) => `http://${node}/`),
    cottonMint: world.genesis.mint,
    localChain: true,
    // Tokens of a private chain may have a value, so policy, reserve and operators decide.
    cluster: isStrict ? 'private' : 'local',
    publicUrl: `https://${SITE.host}`,
    dataDir: world.folder,
    largeDeposit: LARGE_DEPOSIT,
    withdrawals: readWithdrawalSettings({
      PAYOUT_LANES: '2',
      WITHDRAWAL_REVIEW_ABOVE: String(REVIEW_ABOVE / cotton(1)),
      WITHDRAWAL_NEW_WALLET_HOURS: '0',
    }),
    operatorsFile: world.operatorRecord.file,
    coldWallets: knowsColdStorage ? [world.genesis.cold.address] : [],
  } as unknown as Config
}

/** Writes the log of the process to the trace. The stack of an error is left out: it differs between two runs of a seed. */
export function createTraceLog({
  name,
  world,
}: Pick<SimulatedProcess, 'name'> & { world: Pick<SimulatedWorld, 'record' | 'codeErrors'> }): Log {
  const at = (level: string) => (facts: unknown, text?: string) => {
    const { err, reason } = facts as { err?: Error; reason?: string }
    world.codeErrors.note(err)
    world.record(
      `${name} ${level}: ${text ?? String(facts)}${err ? ` ${String(err)}` : ''}${reason ? ` (${reason})` : ''}`,
    )
  }
  const log = {
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
    debug() {},
    trace() {},
  }
  return { ...log, child: () => log } as unknown as Log
}
