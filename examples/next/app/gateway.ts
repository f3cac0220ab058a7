export const gatewayUrl = process.env.NEXT_PUBLIC_HAWSER_URL ?? 'http://localhost:8080'
export const projectId = process.env.NEXT_PUBLIC_HAWSER_PROJECT_ID ?? '00000000000000000000000000000001'
