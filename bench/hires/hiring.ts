import { randomUUID } from 'node:crypto'
import { purchaseWorker } from '#contract/workers.ts'
import type { Key } from '#server/account/act-once.ts'
import { type Burst, burst, type Load } from '../burst.ts'
import { keepAlive } from '../keep-alive.ts'
import { BUYERS, seedBuyers } from '../parcels/buyers.ts'
import { runAsOwner, tokenOf, walletOf } from '../players.ts'

export type Hiring = { player: number; wallet: string }

/** A player with credit, chosen by chance, who hires a kid. */
export function someHiring(): Hiring {
  const player = 1 + Math.floor(Math.random() * BUYERS)
  return { player, wallet: walletOf(player) }
}

const BODY_HASH = Buffer.alloc(32, 7)

/** A key of its own, as every request of the web app carries one. */
export const keyForHire = (): Key => ({ route: purchaseWorker.path, key: randomUUID(), bodyHash: BODY_HASH })

/** Players with a session and credit for two thousand kids each, and a supply that does not end. */
export async function seedHirers(ownerUrl: string): Promise<void> {
  await seedBuyers(ownerUrl)
  await runAsOwner(ownerUrl, [`update worker_types set max_supply = 2000000000 where worker_type = 'kid'`])
}

/** Hires over so many connections that stay open. */
export async function hireOverHttp(url: string, load: Load): Promise<Burst> {
  const open = await Promise.all(Array.from({ length: load.lanes }, () => keepAlive(url)))
  const hired = await burst(load, async (lane) => {
    const status = await open[lane]!.send(requestFor(someHiring()))
    if (status !== 200) throw new Error(`A hire was answered with ${status}`)
    return true
  })
  for (const each of open) each.close()
  return hired
}

function requestFor({ player, wallet }: Hiring): string {
  const body = `{"workerType":"kid","walletAddress":"${wallet}"}`
  return [
    `POST ${purchaseWorker.path} HTTP/1.1`,
    'host: bench.test',
    'content-type: application/json',
    `x-auth-token: ${tokenOf(player)}`,
    `idempotency-key: ${randomUUID()}`,
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}
