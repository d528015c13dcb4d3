import { type Edit, edit } from './edit.ts'

/** A known bug, and the browser story that has to fail with it: the start of its title. */
export type StoryMutant = { edits: readonly Edit[]; story: string }

const one = (story: string, file: string, find: string, replace: string): StoryMutant => ({
  story,
  edits: [edit(file, find, replace)],
})

const ACTS = 'web/console/acts'
const API = 'web/console/api'
const PAGES = 'web/console/pages'
const SIGN_DIALOG = `${ACTS}/sign-dialog.tsx`
const USE_SIGNED_ACT = `${ACTS}/use-signed-act.ts`
const CALL = `${API}/call.ts`

/** A bug for each story of the operators' console and of what players see of it. */
export const STORY_MUTANTS: Readonly<Record<string, StoryMutant>> = {
  'an-approval-can-be-repeated': one(
    'two operators approve a large withdrawal',
    `${PAGES}/withdrawals/decision.tsx`,
    'isMine ? actMessages.approve.mine : null',
    'null',
  ),
  'a-second-rejection-is-done-too': one(
    'of two operators who decide at once one does',
    'server/signer/acts/execute-acts.ts',
    "state: 'refused', outcome: message, now }))",
    "state: 'done', outcome: message, now }))",
  ),
  'a-dialog-ignores-changes': one(
    'a decision about something that has changed',
    SIGN_DIALOG,
    'version === opened ? stale : actMessages.changed',
    'stale',
  ),
  'a-refusal-looks-done': one(
    'what a stale page signs is refused',
    USE_SIGNED_ACT,
    'outcome: found.act.state,',
    "outcome: 'done',",
  ),
  'a-reason-keeps-its-line-breaks': one(
    'a rejection needs a reason',
    `${ACTS}/reason.ts`,
    String.raw`text.replaceAll(/\s+/g, ' ').trim()`,
    'text',
  ),
  'a-double-click-is-two-presses': {
    story: 'a double click on every button',
    edits: [
      edit('web/ui/press-once.ts', 'if (pressStates.get().has(fullName)) return', ''),
      edit('web/ui/button.tsx', 'ignoresPresses ? (event) => event.preventDefault() : onClick', 'onClick'),
    ],
  },
  'a-late-signature-is-submitted': one(
    'what a wallet signs after its dialog was closed',
    USE_SIGNED_ACT,
    'await untilCancelled(signing.sign(prepared), closed.current.signal)',
    'await signing.sign(prepared)',
  ),
  'a-lost-answer-is-a-refusal': one(
    'a lost answer is checked',
    USE_SIGNED_ACT,
    'if (error.isInDoubt)',
    'if (false)',
  ),
  'take-adds': one(
    'a player is frozen, logged out, adjusted',
    `${PAGES}/players/player-acts.tsx`,
    "direction === 'add' ? size : -size",
    'size',
  ),
  'a-market-cannot-be-closed': one(
    'a market is opened and closed',
    `${PAGES}/world/continents-panel.tsx`,
    "const what = openedEarly ? 'close' : 'open'",
    "const what = 'open'",
  ),
  'an-ended-announcement-stays': one(
    'a market is opened and closed, and players read an announcement',
    'server/announcements/announcements.ts',
    'set withdrawn_at = ${now}, withdrawn_by = ${who}',
    'set withdrawn_by = null',
  ),
  'buttons-need-a-pointer': one(
    'an approval needs no pointer',
    'web/console/ui/button.tsx',
    '{...rest}\n',
    '{...rest}\n      tabIndex={-1}\n',
  ),
  'a-missing-right-is-not-named': one(
    'sees which right is missing',
    `${ACTS}/act-button.tsx`,
    'missing ?? refusal',
    'refusal',
  ),
  'a-stale-page-looks-current': one(
    'without an answer the page says',
    `${API}/live.ts`,
    'failed && (answeredAt === null',
    'false && (answeredAt === null',
  ),
  'new-deposits-need-a-reload': one(
    'tokens that arrive are listed',
    `${PAGES}/deposits/deposits-page.tsx`,
    "{ topics: ['deposits'] }",
    '{}',
  ),
  'the-pool-covers-no-debt': one(
    'the pool is funded, and a payout',
    `${PAGES}/books/restored-panel.tsx`,
    'amount, debt, reason }',
    "amount, debt: 'none', reason }",
  ),
  'signatures-never-expire': one(
    'a page that was left open overnight',
    'server/operators/verify-act.ts',
    'if (!(expiresAt > now))',
    'if (false)',
  ),
  'a-page-leaves-the-focus': one(
    'every page shows its content',
    'web/console/shell/page.tsx',
    'if (hasNavigated) heading',
    'if (false) heading',
  ),
  'a-field-has-no-name': one(
    'an item and a player are accessible',
    'web/console/ui/field.tsx',
    '<label className={styles.label} htmlFor={id}>',
    '<label className={styles.label}>',
  ),
  'colours-are-forgotten': one(
    'the chosen colours stay',
    'web/console/theme.ts',
    '  browserStorage.setItem(KEY, next)\n',
    '',
  ),
  'charts-show-hours-only': one(
    'a chart has its values as a table',
    'web/console/ui/span-choice.tsx',
    'onChange(each)',
    "onChange('day')",
  ),
  'a-filter-is-not-in-the-address': one(
    'a filter is part of the address',
    'web/console/ui/use-filter.ts',
    'withParameter(newest, name, value)',
    'newest',
  ),
  'the-ledger-has-one-page': one(
    'the ledger reads page after page',
    `${API}/queries.ts`,
    'getNextPageParam: ({ next }) => next',
    'getNextPageParam: () => null',
  ),
  'new-items-need-a-reload': one(
    'a new withdrawal appears by itself',
    `${API}/live.ts`,
    'if (before) invalidate(',
    'if (!before) invalidate(',
  ),
  'the-ledger-of-a-player-needs-a-reload': one(
    'balances and ledger of a player',
    'web/console/pages/players/player-history.tsx',
    "{ topics: ['withdrawals', 'deposits', 'acts'], everyMs: EVERY_MS }",
    "{ topics: ['withdrawals', 'deposits', 'acts'] }",
  ),
  'an-ended-session-goes-on': one(
    'is led to the login',
    CALL,
    "if (refusal.code === 'not_logged_in') endSession('expired')",
    '',
  ),
  'an-unused-page-stays-open': one(
    'a page that nobody uses',
    `${API}/use-idle-end.ts`,
    '< idleMs) return',
    '< Infinity) return',
  ),
  'a-duplicate-ends-the-session-of-both': one(
    'a page that nobody uses',
    `${API}/use-idle-end.ts`,
    'if (!isElsewhere) call(',
    'call(',
  ),
  'a-failed-read-loads-for-ever': one(
    'a failed read says why',
    'web/console/ui/state.tsx',
    'if (of.error) return',
    'if (false && of.error) return',
  ),
  'an-address-without-a-page-is-empty': one(
    'an address without a page',
    'web/console/console-app.tsx',
    '<Route path="*" element={<NotFound />} />',
    '',
  ),
  'a-removed-operator-stays-logged-in': one(
    'is refused with a clear message, let in',
    CALL,
    "if (refusal.code === 'not_an_operator') endSession('removed')",
    '',
  ),
  'a-dismissed-announcement-comes-back': one(
    'an announcement appears on open pages',
    'web/shell/announcement-card.tsx',
    "browserStorage.setItem(DISMISSED_KEY, ids.join(' '))\n",
    '\n',
  ),
  'a-frozen-wallet-is-not-told': one(
    'the player of a frozen wallet reads why',
    'web/api/use-balance.ts',
    'setFreeze(frozen)',
    'setFreeze(null)',
  ),
}
