import { lazy, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { useChain } from '#web/api/use-chain.ts'
import { BadgeShelf } from '#web/goals/badge-shelf.tsx'
import { promptLogin } from '#web/popups/login-store.ts'
import { LoginGate } from '#web/shell/login-gate.tsx'
import { AuthSplit } from '#web/shell/auth-split.tsx'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { profileMessages } from '#web/messages/en-profile.ts'
import { messages } from '#web/messages/en.ts'
import { AccountInformation } from './account-information.tsx'
import { DepositBox } from './deposit-box.tsx'
import { HistoryList } from './history-list.tsx'
import styles from './profile.module.css'
import { OnDemandPanel } from './on-demand-panel.tsx'
import { OwnedLand } from './owned-land.tsx'
import { TestTokens } from './test-tokens.tsx'
import { UncreditedList } from './uncredited-list.tsx'
import { WalletManagement } from './wallet-management.tsx'
import { WithdrawalList } from './withdrawal-list.tsx'

const Security = lazy(() => import('./security.tsx').then((module) => ({ default: module.Security })))
const MonthlyStatement = lazy(() =>
  import('./statement.tsx').then((module) => ({ default: module.MonthlyStatement })),
)

export default function ProfilePage() {
  const { known } = useSession()
  return (
    <>
      <PageHeader title={profileMessages.page} sub={profileMessages.sub} />
      <AuthSplit visitor={<LoggedOut />} player={known ? <Account /> : <Loading text={messages.loading} />} />
    </>
  )
}

function Account() {
  const isLocal = useChain()?.cluster === 'local'
  const [search, setSearch] = useSearchParams()
  const depositOpen = search.get('section') === 'deposit'
  const openDeposit = (open: boolean): void =>
    setSearch(open ? { section: 'deposit' } : {}, { replace: true })

  return (
    <div className={styles.profile}>
      <div className={styles.column}>
        <AccountInformation />
        {depositOpen ? <DepositBox onClose={() => openDeposit(false)} /> : null}
        {isLocal ? <TestTokens depositOpen={depositOpen} /> : null}
      </div>
      <div className={styles.column}>
        <WalletManagement depositOpen={depositOpen} onDepositAddress={() => openDeposit(true)} />
        <WithdrawalList />
        <UncreditedList />
        <HistoryList />
        <OnDemandPanel
          id="statement"
          title={profileMessages.statement}
          tone="neutral"
          text={profileMessages.statementText}
          show={profileMessages.showStatement}
        >
          <MonthlyStatement />
        </OnDemandPanel>
        <OnDemandPanel
          id="security"
          title={profileMessages.security}
          tone="info"
          text={profileMessages.securityText}
          show={profileMessages.showSecurity}
        >
          <Security />
        </OnDemandPanel>
      </div>
      <BadgeShelf />
      <OwnedLand />
    </div>
  )
}

function LoggedOut() {
  useEffect(promptLogin, [])
  return <LoginGate title={messages.login.title} text={profileMessages.gateText} className={styles.gate} />
}
