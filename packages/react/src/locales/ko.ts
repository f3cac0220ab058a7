export { ko } from '@hawser/texts/modal/locales/ko'
