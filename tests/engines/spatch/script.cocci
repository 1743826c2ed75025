virtual report

@access@
expression x, p;
position a;
@@
(
 get_user@a(x, p)
|
 put_user@a(x, p)
)

@initialize:python@
facts << virtual.facts;
@@
import json
path = facts
lines = []

@script:python@
a << access.a;
@@
lines.append(int(a[0].line))

@script:python@
@@
with open(path, "a") as out:
    for file in cocci.files():
        record = {"file": file, "facts": {"lines": lines}}
        out.write(json.dumps(record) + chr(10))
lines = []
