import { closeGreeting, expect, test, DESKTOP_ONLY } from './browser-test.ts'

test(
  'filters that change before the page has rendered the first change show it at once and are all applied (X-20)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await page.goto('/marketplace?type=parcel')
    await closeGreeting(page)
    const [type, search] = [page.getByLabel('Type'), page.getByLabel('Search')]
    await expect(type).toHaveValue('parcel')
    // React puts back at once what a render does not contain.
    const atOnce = await page.evaluate(
      ([select, input]) => {
        const change = (element: HTMLElement, value: string, event: string): void => {
          // React notices a change of the element's own property only.
          Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')!.set!.call(element, value)
          element.dispatchEvent(new Event(event, { bubbles: true }))
        }
        change(select as HTMLElement, 'all', 'change')
        const selected = (select as HTMLSelectElement).value
        for (const text of ['f', 'fr']) change(input as HTMLElement, text, 'input')
        return [selected, (input as HTMLInputElement).value]
      },
      [await type.elementHandle(), await search.elementHandle()],
    )
    expect(atOnce).toEqual(['all', 'fr'])
    await expect(page).toHaveURL(/\/marketplace\?search=fr$/)
    await expect(type).toHaveValue('all')
    await expect(search).toHaveValue('fr')
  },
)
