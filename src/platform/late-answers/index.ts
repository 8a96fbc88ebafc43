export { askOutside, repeatWithAnswers } from './late-answers.ts';
