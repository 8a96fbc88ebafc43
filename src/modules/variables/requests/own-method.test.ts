import { expect, test } from 'vitest';
import { checkOwnMethod } from './own-method.ts';

const url = 'https://api.example.com/safe/1';
const buildTypedRequest = (type: string, body: string) => ({ url, headers: { 'Content-Type': type }, body });

test.for([
  ['in the address', { url: `${url}?_method=DELETE` }],
  ['in the address, escaped', { url: `${url}?%5Fmethod=DELETE` }],
  ['in the address, as a list', { url: `${url}?_method[]=DELETE` }],
  ['in the address, behind a semicolon', { url: `${url}?a=1;_method=DELETE` }],
  ['in the address, by a name that PHP reads so', { url: `${url}?.method=DELETE` }],
  ['in the address, by the name of Salesforce', { url: `${url}?_HttpMethod=DELETE` }],
  ['in a form, behind a semicolon', buildTypedRequest('application/x-www-form-urlencoded', 'a=1;_method=DELETE')],
  ['in a body without a type', { url, body: 'a=1&_method=DELETE' }],
  [
    'in a part with a name in capitals',
    buildTypedRequest(
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; NAME = "_met\\hod"\r\n\r\nDELETE',
    ),
  ],
  ['in a form', buildTypedRequest('application/x-www-form-urlencoded', 'a=1&_method=DELETE')],
  ['in a form, escaped', buildTypedRequest('application/x-www-form-urlencoded; charset=utf-8', 'a=1&%5fMETHOD=DELETE')],
  ['in a field of JSON', buildTypedRequest('application/json', '{"a":1,"\\u005fmethod":"DELETE"}')],
  [
    'in a part',
    buildTypedRequest(
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="_method"\r\n\r\nDELETE',
    ),
  ],
  [
    'in a part without quotes',
    buildTypedRequest('multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name=_method\r\n'),
  ],
] as const)('a request that overrides its method %s is refused', ([, request]) => {
  expect(() => checkOwnMethod(request)).toThrow(/another method than the request has/);
});

test.for([
  { url: `${url}?method=DELETE&httpMethod=GET&payment_method=a;b` },
  buildTypedRequest('application/x-www-form-urlencoded', 'payment_method=card'),
  buildTypedRequest('application/json', '{"note":"_method","deep":{"_method":"x"}}'),
  buildTypedRequest('application/json', 'no JSON'),
  buildTypedRequest('text/plain', '_method=DELETE'),
  { url },
])('any other request stays unchanged, %j', (request) => {
  expect(() => checkOwnMethod(request)).not.toThrow();
});
