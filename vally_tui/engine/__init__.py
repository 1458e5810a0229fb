"""V8 in a process of its own, which can be killed; answers the searches that grading asks for.

client      Engine: what the rest of the program uses
passes      one request: what is still to be done, in which batches, and what the answers mean
texts       which texts the worker holds, and how they are sent
killed      what has cost a worker its life, and is not tried again
supervisor  the worker's life: started, watched, replaced, given up
process     the worker as a process with pipes that never block
frames      the layout of messages on those pipes
worker      the child process: mini-racer, messages in and out
service, run, shelf, buffers, v8    inside the child: messages, jobs, texts, shared memory, one evaluation at a time
match.js    all matching
offsets     UTF-16 units into code points
node        which JavaScript the patterns may use
"""
