import type * as z from 'zod/mini'
import type { ReplyOf, Route } from '#contract/route.ts'
import type { CallKey, Player, Serve, HandlerInput } from '#server/platform/http/serve.ts'
import type { ActionRequest } from './run-once.ts'
import { requireOwnWallet } from './require-own-wallet.ts'

/** A route by which a player changes what is the player's; its body names the wallet. */
type ActionRoute = Route & { auth: 'player'; body: z.ZodMiniType<{ walletAddress: string }> }

type ActionHandlers<R extends ActionRoute, Q extends ActionRequest> = {
  /** The call as a request of whoever calls. */
  toRequest(call: HandlerInput<R>, caller: ActionRequest): Q
  submit(request: Q, player: Player): Promise<ReplyOf<R>>
  /** Tells everybody what the call has changed, before it is answered. */
  publish(reply: ReplyOf<R>, request: Q): Promise<unknown>
}

/** Serves a call by which a player acts, for the own wallet only. */
export function serveAction<R extends ActionRoute, Q extends ActionRequest>(
  serve: Serve,
  route: R,
  { toRequest, submit, publish }: ActionHandlers<R, Q>,
): void {
  serve(
    route,
    async (call) => {
      const { player, key, body } = call as { player: Player; key: CallKey; body: { walletAddress: string } }
      requireOwnWallet(player, body.walletAddress)
      const request = toRequest(call, { wallet: player.wallet, key })
      const reply = await submit(request, player)
      await publish(reply, request)
      return reply
    },
    { revalidates: true },
  )
}
