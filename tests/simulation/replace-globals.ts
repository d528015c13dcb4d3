import { createHash, KeyObject, sign, verify } from 'node:crypto'
import * as nodeCrypto from 'node:crypto'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { processContext } from './process.ts'

/**
 * Replaces everything that would make two runs differ: network, timers, random numbers, and the key operations that Node
 * runs on other threads. Code outside of a simulated process gets the originals.
 */
export function replaceGlobals(): void {
  replaceFetch()
  replaceTimers()
  replaceTimeoutSignals()
  replaceClock()
  replaceRandomness()
  makeCryptoSynchronous()
}

function replaceFetch(): void {
  const real = globalThis.fetch
  globalThis.fetch = (async (url: string, request: { body: string }) => {
    const process = processContext.getStore()
    if (process === undefined) return real(url, request)
    const text = await process.world.askNode(process, { host: new URL(url).hostname, body: request.body })
    return {
      ok: true,
      status: 200,
      statusText: 'OK',
      text: async () => text,
      json: async () => JSON.parse(text),
    }
  }) as typeof fetch
}

// Timeouts must not depend on the host's clock: the world decides which calls time out.
function replaceTimeoutSignals(): void {
  const real = AbortSignal.timeout.bind(AbortSignal)
  AbortSignal.timeout = (ms) =>
    processContext.getStore() === undefined ? real(ms) : new AbortController().signal
}

class Timer {
  cancelled = false
  unref(): this {
    return this
  }
  ref(): this {
    return this
  }
}

function replaceTimers(): void {
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis
  globalThis.setTimeout = ((work: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
    const process = processContext.getStore()
    if (process === undefined) return realSet(work, ms, ...given)
    const timer = new Timer()
    const fire = (): void => {
      if (!timer.cancelled) work(...given)
    }
    void process.world.pause(process, 'timer').then(fire)
    return timer
  }) as never
  globalThis.clearTimeout = ((timer: unknown) => {
    if (timer instanceof Timer) timer.cancelled = true
    else realClear(timer as NodeJS.Timeout)
  }) as typeof clearTimeout
}

function replaceClock(): void {
  const real = performance.now.bind(performance)
  performance.now = () => processContext.getStore()?.world.clock.sinceStartMs ?? real()
}

function replaceRandomness(): void {
  // The module namespace is read-only, but the module object is not.
  const builtin = createRequire(import.meta.url)('node:crypto') as typeof nodeCrypto
  const { randomBytes, randomUUID } = builtin
  const bytesOf = (count: number): Buffer | null => {
    const process = processContext.getStore()
    return process === undefined ? null : Buffer.from(process.world.random.bytes(count))
  }
  builtin.randomBytes = ((count: number) => bytesOf(count) ?? randomBytes(count)) as typeof randomBytes
  builtin.randomUUID = ((options?: nodeCrypto.RandomUUIDOptions) => {
    const bytes = bytesOf(16)
    return bytes === null ? randomUUID(options) : uuidOf(bytes)
  }) as typeof randomUUID
  syncBuiltinESMExports()
  const random = Math.random.bind(Math)
  Math.random = () => processContext.getStore()?.world.random.fraction() ?? random()
}

/** Random bytes as a UUID of version 4. */
export function uuidOf(bytes: Buffer): ReturnType<typeof nodeCrypto.randomUUID> {
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The same results in the same turn of the event loop, because the order in which threads finish is random. */
function makeCryptoSynchronous(): void {
  const { subtle } = globalThis.crypto
  const real = {
    sign: subtle.sign,
    verify: subtle.verify,
    digest: subtle.digest,
    exportKey: subtle.exportKey,
  }
  const isEd25519 = (key: CryptoKey): boolean => key.algorithm.name === 'Ed25519'
  const replaced = {
    sign: async (algorithm: never, key: CryptoKey, data: Uint8Array) =>
      isEd25519(key)
        ? bufferOf(sign(null, data, KeyObject.from(key as never)))
        : real.sign.call(subtle, algorithm, key, data as never),
    verify: async (algorithm: never, key: CryptoKey, signature: Uint8Array, data: Uint8Array) =>
      isEd25519(key)
        ? verify(null, data, KeyObject.from(key as never), signature)
        : real.verify.call(subtle, algorithm, key, signature as never, data as never),
    digest: async (algorithm: string | { name: string }, data: Uint8Array | ArrayBuffer) => {
      const name = typeof algorithm === 'string' ? algorithm : algorithm.name
      const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data
      return bufferOf(createHash(name.replace('-', '').toLowerCase()).update(bytes).digest())
    },
    exportKey: async (format: 'raw', key: CryptoKey) => {
      if (format !== 'raw' || !isEd25519(key)) return real.exportKey.call(subtle, format, key)
      const { x } = KeyObject.from(key as never).export({ format: 'jwk' })
      return bufferOf(Buffer.from(x!, 'base64url'))
    },
  }
  for (const name of ['importKey', 'generateKey', 'deriveBits', 'deriveKey'] as const) {
    const real = subtle[name] as (...given: unknown[]) => Promise<unknown>
    Object.defineProperty(subtle, name, {
      value: (...given: unknown[]) => trackWork(real.apply(subtle, given)),
    })
  }
  for (const [name, value] of Object.entries(replaced)) Object.defineProperty(subtle, name, { value })
}

let pendingThreadWork = 0

/** True while another thread still works for a process, whose next calls are therefore not known yet. */
export function hasThreadWork(): boolean {
  return pendingThreadWork > 0
}

/** Lets the world wait for work that is no call of a process. */
export async function trackWork<T>(work: Promise<T>): Promise<T> {
  pendingThreadWork++
  try {
    return await work
  } finally {
    pendingThreadWork--
  }
}

function bufferOf(bytes: Buffer): ArrayBuffer {
  return Uint8Array.from(bytes).buffer
}
