export { ko } from '@hawser/texts/locales/ko'
