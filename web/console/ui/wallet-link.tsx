import { Link } from 'react-router'
import { shortAddress } from '#web/ui/short-address.ts'

/** A wallet, short, as a link to its player. */
export function WalletLink({ wallet }: { wallet: string }) {
  return (
    <Link className="short" to={`/players/${wallet}`} title={wallet}>
      {shortAddress(wallet)}
    </Link>
  )
}
