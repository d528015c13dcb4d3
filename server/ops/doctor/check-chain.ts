import { createDefaultRpcTransport } from '@solana/kit'
import { askLocalMint } from '#server/chain/ask-local-chain.ts'
import { clusterOf } from '#server/chain/clusters.ts'
import { splitCredentials } from '#server/chain/node-url.ts'
import { type BoundChain, connectAsBound } from '#server/deposits/connect-bound-chain.ts'
import type { Config } from '#server/platform/config.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { type DoctorContext, type Finding, findingsOn, reasonOf } from './finding.ts'

const TIMEOUT_MS = 10_000
/** A node that is this far behind another one misses deposits for a minute. */
const MAX_LAG_SLOTS = 150
/** Blocks carry whole seconds, and validators estimate them. */
const MAX_BLOCK_AGE_MS = 60_000

type NodeState = { why: null; host: string; genesisHash: string; slot: number; blockAt: Date | null }

/** The nodes of SOLANA_RPC_URL, the token, and the clock that the chain shows. */
export async function checkChain(
  { config, now }: DoctorContext,
  bound: BoundChain | null,
): Promise<Finding[]> {
  const chain = findingsOn('chain')
  if (config.solanaRpcUrls.length === 0) {
    const url = `http://127.0.0.1:${config.chainPort}`
    const mint = await askLocalMint(createDefaultRpcTransport({ url })).catch(() => null)
    if (mint === null) chain.note(`no local chain answers at ${url}`, 'it runs while the game does')
    else if (bound && bound.mint !== mint)
      chain.fix(
        `the local chain at ${url} has another token than the database`,
        'use the data folder that belongs to the database',
      )
    else chain.ok(`the local chain answers at ${url}`)
    return chain.found
  }
  const states = await Promise.all(config.solanaRpcUrls.map(askNode))
  const answering = states.filter((state) => state.why === null)
  for (const state of states)
    if (state.why !== null)
      chain.fix(
        `the node ${state.host} does not answer (${state.why})`,
        'repair it, or take it out of SOLANA_RPC_URL',
      )
  const newest = Math.max(...answering.map(({ slot }) => slot))
  for (const { host, genesisHash, slot } of answering) {
    const mismatch = findMismatch({ genesisHash, config, bound })
    if (mismatch) chain.fix(`the node ${host}: ${mismatch.what}`, mismatch.remedy)
    if (newest - slot > MAX_LAG_SLOTS)
      chain.fix(
        `the node ${host} is ${newest - slot} slots behind another`,
        'wait until it has caught up, or replace it',
      )
  }
  if (config.solanaRpcUrls.length === 2)
    chain.note(
      'SOLANA_RPC_URL names two nodes',
      'use one or at least three: with two, one silent node blocks payouts',
    )
  if (chain.found.length === 0) chain.ok(`${answering.length} nodes answer at slot ${newest}`)
  const at = answering.find(({ slot }) => slot === newest)?.blockAt
  const clock = at ? [checkChainClock(at, now())] : []
  // Of another chain its token says nothing.
  const isOfDatabase = answering.every(({ genesisHash }) => !bound || bound.genesisHash === genesisHash)
  const token = answering.length > 0 && isOfDatabase ? await checkToken(config, bound) : []
  return [...chain.found, ...clock, ...token]
}

function checkChainClock(blockAt: Date, now: Date): Finding {
  const clock = findingsOn('clock')
  const skewMs = now.getTime() - blockAt.getTime()
  const what = `the newest block is from ${Math.abs(Math.round(skewMs / 1000))} s ${skewMs < 0 ? 'in the future' : 'ago'}`
  if (Math.abs(skewMs) > MAX_BLOCK_AGE_MS)
    clock.fix(what, "synchronise this machine's clock by NTP, or replace the node if it lags")
  else clock.ok(what)
  return clock.found[0]!
}

async function checkToken(config: Config, bound: BoundChain | null): Promise<Finding[]> {
  const token = findingsOn('token')
  try {
    const { facts } = await connectAsBound(bound, config, null)
    const freezable =
      config.freezableToken === 'allowed'
        ? ', and a freeze authority is allowed'
        : ', which nobody can freeze'
    token.ok(`${facts.mint} is a token with six decimals${facts.cluster === 'local' ? '' : freezable}`)
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    token.fix(error.message.replace(/\.$/, ''), 'correct COTTON_MINT or that setting')
  }
  return token.found
}

type Mismatch = { what: string; remedy: string }

function findMismatch({
  genesisHash,
  config,
  bound,
}: {
  genesisHash: string
  config: Config
  bound: BoundChain | null
}): Mismatch | null {
  if (bound && bound.genesisHash !== genesisHash)
    return { what: 'it is on another chain than the database', remedy: 'take it out of SOLANA_RPC_URL' }
  try {
    clusterOf(genesisHash, { configured: config.cluster || undefined, isOwnChain: config.localChain })
    return null
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return { what: error.message.replace(/\.$/, ''), remedy: 'correct SOLANA_RPC_URL or CLUSTER' }
  }
}

async function askNode(nodeUrl: string): Promise<NodeState | { host: string; why: string }> {
  const { host } = new URL(nodeUrl)
  const { url, headers: credentials } = splitCredentials(nodeUrl)
  const ask = async <T>(method: string, params: unknown[] = []): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json', ...credentials }
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
    const { result, error } = (await answer.json()) as { result?: T; error?: { message: string } }
    if (result === undefined) throw new Error(error?.message ?? 'no result')
    return result
  }
  try {
    const genesisHash = await ask<string>('getGenesisHash')
    const slot = await ask<number>('getSlot', [{ commitment: 'confirmed' }])
    // The local chain does not know it; the newest slot of another may be empty.
    const seconds = await ask<number | null>('getBlockTime', [slot]).catch(() => null)
    return { why: null, host, genesisHash, slot, blockAt: seconds === null ? null : new Date(seconds * 1000) }
  } catch (error) {
    return { host, why: reasonOf(error) }
  }
}
