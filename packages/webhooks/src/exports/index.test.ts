import { expect, it } from 'vitest'
import * as webhooks from './index.ts'

it('is the public surface of the package', () => {
  expect(Object.keys(webhooks).sort()).toEqual(['WebhookError', 'verifyWebhook'])
})
