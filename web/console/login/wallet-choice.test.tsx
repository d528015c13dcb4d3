import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { consoleMessages } from '#web/messages/en-console.ts'
import { walletMessages } from '#web/messages/en-wallets.ts'
import { messages } from '#web/messages/en.ts'
import { WalletChoice } from './wallet-choice.tsx'

const render = (testWalletFailed: boolean, waitingFor: string | null = null): string =>
  renderToStaticMarkup(
    <WalletChoice
      found={[]}
      testWallet={undefined}
      testWalletFailed={testWalletFailed}
      waitingFor={waitingFor}
      onChoose={() => undefined}
    />,
  )

test('the login of the console says why there is no test wallet, and nothing of one where none is expected', () => {
  expect(render(true)).toMatch(new RegExp(`role="alert".*${messages.login.localFailed}`))
  expect(render(false)).not.toContain(messages.login.localFailed)
  expect(render(false)).toContain(consoleMessages.login.noWallet)
})

test('a screen reader says what waits for the wallet, from a place that was there before', () => {
  expect(render(false)).toMatch(/<output[^>]*><\/output>/)
  expect(render(false, 'Phantom')).toMatch(
    new RegExp(`<output[^>]*>${walletMessages.confirm('Phantom')}</output>`),
  )
})
