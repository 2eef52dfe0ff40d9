import re,sys,glob
T={
'A position brings the closest ATMs with their distances':('atm-positions',None),
'Any position is answered in the documented form':('atm-any-position',None),
'Every ATM that can be reached from another is in order':('atm-crawl','Every ATM that the crawl reaches conforms'),
'A province and district bring their ATMs without distances':('atm-provinces',None),
'Positions and codes may be asked in turn':('atm-both-queries','Position and province queries alternate'),
'A loan request opens an application with the accounts on offer':('loan-boundary-values',None),
'Any documented loan request is answered in the documented form':('loan-any-request',None),
'A loan of an amount of zero or below is not granted':('loan-zero-amount',None),
'Steps of a loan in any order are answered in the documented form or refused':('loan-any-order',None),
'A loan goes from the check to the outcome of its disbursement, whichever offer is taken':('loan-flow',None),
'An amount above the available limit is not disbursed like one within it':('loan-over-limit',None),
'A check tells in one word whether a disbursement can be requested':('check-boundary-values','A check states whether a disbursement can be requested'),
'Any documented check is answered in the documented form':('check-any-request',None),
'A check of an amount of zero or below is not answered true':('check-zero-amount',None),
'What does not exist is neither contracted, nor disbursed, nor told of':('loan-unknown-ids','Unknown applications and accounts have no contract, no disbursement and no outcome'),
'A loan request whose body is no JSON is refused':('loan-malformed-body',None),
'The ATM locator tells what it makes of half a query, of both forms and of none':('atm-query-variants','How the ATM locator answers half a query, both forms and none'),
'A check tells what it can do without, and what it takes besides':('check-variants','Which fields a check requires, and which undocumented forms it accepts'),
'A loan request tells what it can do without, and what a repeated order_id brings':('loan-request-variants','Which fields a loan request requires, and how a repeated order_id is answered'),
'Contract and disbursement tell what they can do without, and in which order they come':('disbursement-variants','Which fields contract and disbursement require, and in which order they are accepted'),
'Both forms of order_id are accepted alike':('order-id-forms',None),
'The lists of a merchant tell what they can do without':('list-variants','Which parameters the lists of a merchant require'),
'A payment link tells what it can do without':('link-variants','Which fields a payment link requires'),
'An outcome that came late is in the documented form as well':('late-outcomes','Outcomes conform at the end of the run as well'),
'Merchants, branches, currencies and installments are listed for one another':('list-catalogue',None),
'A link is made for every merchant, branch, currency and installment on offer':('link-every-choice',None),
'A link carries its token, its expiry and ids of its own':('link-any-request',None),
'A link that cannot be is not made':('link-impossible','A link with unknown or impossible values is not made'),
'A merchant that does not exist has no lists':('list-unknown-merchant','An unknown merchant has no lists'),
'`Missing and wrong credentials open nothing (${area})`':('`credentials-${area}`','`Requests with missing or wrong credentials are refused (${area})`'),
'`A documented request is accepted as documented: ${nameOf(form.operation)}${which}`':('ID',None),
'`What was found is looked at once more (${area})`':('`reproduce-${area}`','`Findings are asked again to say how they behave (${area})`'),
}
used=set()
for f in glob.glob('tests/*/*.spec.ts'):
    s=open(f).read()
    out='';i=0
    while True:
        m=re.compile(r"\btest\(\s*('(?:[^'\\]|\\.)*'|`[^`]*`),").search(s,i)
        if not m: out+=s[i:];break
        lit=m.group(1); key=lit if lit[0]=='`' else lit[1:-1]
        id_,title=T[key]; used.add(key)
        # match paren
        p=s.index('(',m.start()); d=0; j=p; q=None
        while True:
            c=s[j]
            if q:
                if c=='\\': j+=1
                elif c==q: q=None
            elif c in "'\"`": q=c
            elif s.startswith('//',j):
                j=s.index('\n',j)
            elif s.startswith('/*',j):
                j=s.index('*/',j)+1
            elif c=='(': d+=1
            elif c==')':
                d-=1
                if d==0: break
            j+=1
        newt=lit if title is None else (title if title[0]=='`' else "'"+title+"'")
        idl=id_ if id_[0]=='`' else "'"+id_+"'"
        body=s[m.end():j].rstrip()
        if body.endswith(','): body=body[:-1]
        out+=s[i:m.start()]+'test('+newt+', ...scenario('+idl+','+body+'))'
        i=j+1
    s=out
    s=re.sub(r"(import (?:type )?\{[^}]*?)\btest\b([^}]*\} from '../../fixtures/runner/index.ts')",r"\1scenario, test\2",s)
    s=s.replace('isUnderWay','isPending').replace('omissions(','probeMissingFields(').replace('  omissions,','  probeMissingFields,').replace('{ omissions,','{ probeMissingFields,')
    s=re.sub(r'\bwalk\b','crawl',s); s=re.sub(r'\banswered\b(?=[,(])','summarizeReply',s)
    s=re.sub(r'\bSpoil\b','RequestMutation',s); s=re.sub(r'\bWire\b','RequestDraft',s)
    open(f,'w').write(s)
print(set(T)-used)
