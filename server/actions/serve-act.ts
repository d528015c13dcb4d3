import type * as z from 'zod/mini'
import type { ReplyOf, Route } from '#contract/route.ts'
import type { CallKey, Player, Serve, Served } from '#server/platform/http/serve.ts'
import type { Request } from './act-once.ts'
import { requireOwnWallet } from './own-wallet.ts'

/** A route by which a player changes what is the player's; its body names the wallet. */
type ActRoute = Route & { auth: 'player'; body: z.ZodMiniType<{ walletAddress: string }> }

type Act<R extends ActRoute, Q extends Request> = {
  /** The call as a request of whoever calls. */
  ask(call: Served<R>, caller: Request): Q
  submit(request: Q, player: Player): Promise<ReplyOf<R>>
  /** Tells everybody what the call has changed, before it is answered. */
  tell(reply: ReplyOf<R>, request: Q): Promise<unknown>
}

/** Serves a call by which a player acts, for the own wallet only. */
export function serveAct<R extends ActRoute, Q extends Request>(
  serve: Serve,
  route: R,
  { ask, submit, tell }: Act<R, Q>,
): void {
  serve(
    route,
    async (call) => {
      const { player, key, body } = call as { player: Player; key: CallKey; body: { walletAddress: string } }
      requireOwnWallet(player, body.walletAddress)
      const request = ask(call, { wallet: player.wallet, key })
      const reply = await submit(request, player)
      await tell(reply, request)
      return reply
    },
    { confirms: true },
  )
}
