import { Link } from 'react-router'
import { useWalletBalance } from '#web/api/use-wallet-balance.ts'
import gift from '#web/art/icons/gift.webp'
import warning from '#web/art/icons/warning.webp'
import { useTestTokens } from '#web/deposits/use-test-tokens.ts'
import { formatAmount } from '#web/messages/amount.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { paths } from '#web/paths.ts'
import { useScrollToHash } from '#web/shell/use-scroll-to-hash.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Coins } from '#web/ui/coins.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Panel } from '#web/ui/frame.tsx'
import { Note } from '#web/ui/note.tsx'
import styles from './profile.module.css'

const ID = 'test-tokens'
const { testTokens } = depositMessages

/** Local chain only: free tokens for the player's wallet, and then the way to deposit them. */
export function TestTokens({ depositOpen }: { depositOpen: boolean }) {
  const { request, requesting, resting, failure } = useTestTokens()
  const { data: inWallet } = useWalletBalance()
  const hasTokens = inWallet !== undefined && inWallet > 0n
  // The hint on Buy Pickers links here.
  useScrollToHash(ID)
  return (
    <Panel title={testTokens.title} tone="info" id={ID}>
      <div className={styles.managementIn}>
        <output className={styles.output}>
          {hasTokens ? (
            <>
              <Facts>
                <Fact name={depositMessages.inWallet}>
                  <Coins>{formatAmount(inWallet)}</Coins>
                </Fact>
              </Facts>
              <p className={styles.plain}>{testTokens.inWallet}</p>
            </>
          ) : (
            <Note tone="ok" picture={gift}>
              {testTokens.text}
            </Note>
          )}
        </output>
        {failure ? (
          <Note tone="bad" picture={warning} role="alert" className={styles.split}>
            {failure}
          </Note>
        ) : null}
        <div className={styles.choices}>
          {hasTokens && !depositOpen ? (
            <Link className={buttonClass({ tone: 'sun', block: true })} to={paths.deposit}>
              {testTokens.open}
            </Link>
          ) : null}
          <Button
            tone={hasTokens ? 'paper' : 'leaf'}
            block
            busy={requesting}
            resting={resting}
            onClick={request}
          >
            {requesting ? testTokens.requesting : hasTokens ? testTokens.more : testTokens.request}
          </Button>
        </div>
      </div>
    </Panel>
  )
}
