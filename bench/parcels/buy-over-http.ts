import { purchaseParcel } from '#contract/parcels.ts'
import { keepAlive } from '../keep-alive.ts'
import { postRequest } from '../requests.ts'
import type { Buy } from './sell-out.ts'

/** So many connections that buy one parcel after the other. */
export async function openBuyers(
  url: string,
  connections: number,
): Promise<{ buy(lane: number): Buy; close(): void }> {
  const open = await Promise.all(Array.from({ length: connections }, () => keepAlive(url)))
  return {
    buy: (lane) => async (wish) => {
      const asked = { parcelId: wish.parcelId, walletAddress: wish.wallet }
      const status = await open[lane]!.send(postRequest(purchaseParcel.path, wish.player, asked))
      if (status !== 200 && status !== 409) throw new Error(`A purchase was answered with ${status}`)
      return status === 200 ? wish : null
    },
    close: () => {
      for (const each of open) each.close()
    },
  }
}
