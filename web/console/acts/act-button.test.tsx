import '#web/api/browser-stub.ts'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { consoleMessages } from '#web/messages/en-console.ts'
import { ActGroup, ActTrigger, GroupReason } from './act-button.tsx'

const operator = vi.hoisted(() => ({ hasRight: true }))

vi.mock('../api/session.ts', () => ({ useRight: () => operator.hasRight }))

const MISSING = consoleMessages.noRight('decide')
const decision = { needs: 'decide', onOpen: () => undefined } as const

/** The lines of the reasons by their ids, and the ids to which the buttons refer. */
function render(hasRight: boolean, acts: ReactElement) {
  operator.hasRight = hasRight
  const html = renderToStaticMarkup(acts)
  const lines = [...html.matchAll(/<p[^>]* id="([^"]*)">([^<]*)</g)].map(([, id, line]) => [id, line])
  const described = [...html.matchAll(/aria-describedby="([^"]*)"/g)].map(([, id]) => id)
  return { lines, described }
}

test('a button that is disabled shows why, and one that is not shows nothing', () => {
  const refused = <ActTrigger {...decision} text="Approve" refusal="It is paid." />
  const { lines, described } = render(true, refused)
  expect(lines).toEqual([[described[0], 'It is paid.']])
  expect(render(false, refused).lines.map(([, line]) => line)).toEqual([MISSING])
  expect(render(true, <ActTrigger {...decision} text="Approve" />)).toEqual({ lines: [], described: [] })
})

test('a right that is missing is named once for a group, and a refusal by each button', () => {
  const group = (
    <ActGroup needs="decide">
      <GroupReason />
      <ActTrigger {...decision} text="Approve" refusal="It is paid." />
      <ActTrigger {...decision} text="Reject" />
    </ActGroup>
  )
  const { lines, described } = render(false, group)
  expect(lines).toEqual([[described[0], MISSING]])
  expect(described).toEqual([described[0], described[0]])
  expect(render(true, group).lines.map(([, line]) => line)).toEqual(['It is paid.'])
})
