import '#web/api/browser-stub.ts'
import { QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { ConsoleError } from './console-error.ts'
import { invalidate, queryClient } from './queries.ts'

test('a list that could not be read when it changed is read at the next poll, although nothing changes any more', async ({
  onTestFinished,
}) => {
  const limited = new ConsoleError({ code: 'too_many_requests', status: 429, message: 'Too many.' })
  const queryFn = vi
    .fn<() => Promise<string>>()
    .mockResolvedValueOnce('before')
    .mockRejectedValueOnce(limited)
    .mockResolvedValueOnce('after')
  const list = new QueryObserver(queryClient, {
    queryKey: ['list'],
    queryFn,
    meta: { topics: ['withdrawals'] },
  })
  const leave = list.subscribe(() => undefined)
  onTestFinished(() => {
    leave()
    queryClient.clear()
  })
  const shows = () => list.getCurrentResult()
  await expect.poll(() => shows().data).toBe('before')
  invalidate([])
  invalidate(['deposits'])
  expect(queryFn).toHaveBeenCalledTimes(1)
  invalidate(['withdrawals'])
  await expect.poll(shows).toMatchObject({ data: 'before', error: limited })
  invalidate([])
  await expect.poll(shows).toMatchObject({ data: 'after', error: null })
  invalidate([])
  expect(queryFn).toHaveBeenCalledTimes(3)
})

test('a list that changes at every poll is shown, however long its pages take, and so is the next page', async ({
  onTestFinished,
}) => {
  const answers: ((list: string) => void)[] = []
  const list = new QueryObserver(queryClient, {
    queryKey: ['slow list'],
    queryFn: () =>
      new Promise<string>((answer) => {
        answers.push(answer)
      }),
    initialData: 'before',
    staleTime: Number.POSITIVE_INFINITY,
    meta: { topics: ['withdrawals'] },
  })
  const leave = list.subscribe(() => undefined)
  onTestFinished(() => {
    leave()
    queryClient.clear()
  })
  // As "Show more" does.
  void list.refetch()
  for (const content of ['the next page', 'after']) {
    for (let poll = 0; poll < 3; poll += 1) invalidate(['withdrawals'])
    const read = answers.length
    answers.at(-1)!(content)
    await expect.poll(() => list.getCurrentResult().data).toBe(content)
    await expect.poll(() => answers).toHaveLength(read + 1)
  }
  expect(answers).toHaveLength(3)
})
