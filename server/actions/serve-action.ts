import type * as z from 'zod/mini'
import type { ReplyOf, Route } from '#contract/route.ts'
import { refuse } from '#server/platform/answer.ts'
import type { CallKey, Player, Serve, HandlerInput } from '#server/platform/http/serve.ts'
import type { ActionRequest } from './run-once.ts'

/** A route that changes something of the calling player. Its body contains the player's wallet. */
type ActionRoute = Route & { auth: 'player'; body: z.ZodMiniType<{ walletAddress: string }> }

type ActionHandlers<R extends ActionRoute, Q extends ActionRequest> = {
  /** Makes the action's request. `caller` contains the wallet of the session and the key. */
  toRequest(call: HandlerInput<R>, caller: ActionRequest): Q
  submit(request: Q, player: Player): Promise<ReplyOf<R>>
  /** Publishes what the call changed, before the reply is sent. */
  publish(reply: ReplyOf<R>, request: Q): Promise<unknown>
}

/** Serves a route of an action. Players can act for their own wallet only. */
export function serveAction<R extends ActionRoute, Q extends ActionRequest>(
  serve: Serve,
  route: R,
  { toRequest, submit, publish }: ActionHandlers<R, Q>,
): void {
  serve(
    route,
    async (call) => {
      const { player, key, body } = call as { player: Player; key: CallKey; body: { walletAddress: string } }
      if (body.walletAddress !== player.wallet) refuse('wallet_of_another')
      const request = toRequest(call, { wallet: player.wallet, key })
      const reply = await submit(request, player)
      await publish(reply, request)
      return reply
    },
    { revalidates: true },
  )
}
