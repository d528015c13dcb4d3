import { type KeepAlive, keepAlive } from '../keep-alive.ts'
import { tokenOf } from '../players.ts'
import { keyFor, type Wish } from './buyers.ts'
import type { Buy } from './sell-out.ts'

/** So many connections that buy one parcel after the other. */
export async function openBuyers(
  url: string,
  connections: number,
): Promise<{ buy(lane: number): Buy; close(): void }> {
  const open = await Promise.all(Array.from({ length: connections }, () => keepAlive(url)))
  return {
    buy: (lane) => (wishes) => buyInTurn(open[lane]!, wishes),
    close: () => {
      for (const each of open) each.close()
    },
  }
}

async function buyInTurn(connection: KeepAlive, wishes: readonly Wish[]): Promise<Wish[]> {
  const bought: Wish[] = []
  for (const wish of wishes) {
    const status = await connection.send(requestFor(wish))
    if (status === 200) bought.push(wish)
    else if (status !== 409) throw new Error(`A purchase was answered with ${status}`)
  }
  return bought
}

function requestFor(wish: Wish): string {
  const body = `{"parcelId":"${wish.parcelId}","walletAddress":"${wish.wallet}"}`
  return [
    'POST /api/parcels/purchase HTTP/1.1',
    'host: bench.test',
    'content-type: application/json',
    `x-auth-token: ${tokenOf(wish.player)}`,
    `idempotency-key: ${keyFor(wish).key}`,
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}
